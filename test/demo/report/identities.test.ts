import { beforeAll, expect, it } from 'vitest';
import { checkIdentities } from '../../../src/demo/report/identities.js';
import { identityLines } from '../../../src/demo/report/identity-report.js';
import { Page } from '../../../src/demo/report/page.js';
import { MODEL_NAME } from '../../../src/demo/run/replay.js';
import type { EngineCounts } from '../../../src/demo/run/run-record.js';
import { readSamples } from '../../../src/testing/read-samples.js';
import { finishedReplay } from '../run-replay.js';

let samples: ReadonlyMap<string, number>;
let engines: ReadonlyMap<number, EngineCounts>;

beforeAll(async () => {
  const replay = await finishedReplay();
  samples = await readSamples(replay.registry);
  engines = replay.record.engines;
});

function broken(change: (samples: Map<string, number>) => void) {
  const changed = new Map(samples);
  change(changed);
  return checkIdentities(new Page(changed, MODEL_NAME), engines).filter(({ holds }) => !holds);
}

const LABELS = `{engine="1",model_name="${MODEL_NAME}"}`;

it('finds nothing wrong with a real page', () => {
  expect(broken(() => {})).toEqual([]);
});

it.each([
  [
    `vllm:e2e_request_latency_seconds_count${LABELS}`,
    ['e2e_request_latency_seconds count = Σ request_success'],
  ],
  [`vllm:request_params_n_count${LABELS}`, ['request_params_n count = Σ request_success, siblings as one']],
  [`vllm:request_prompt_tokens_sum${LABELS}`, ['request_prompt_tokens sum = prompt tokens submitted']],
  [`vllm:request_generation_tokens_sum${LABELS}`, ['generation_tokens = request_generation_tokens sum']],
  [`vllm:iteration_tokens_total_sum${LABELS}`, ['iteration_tokens sum = local_compute + generation tokens']],
  [
    `vllm:inter_token_latency_seconds_count${LABELS}`,
    ['inter_token_latency count = outputs with tokens − first tokens'],
  ],
  [`vllm:num_preemptions_total${LABELS}`, ['request_num_preemptions sum = num_preemptions']],
  [`rx_engine_metrics_requests_in_flight${LABELS}`, ['requests in flight = 0']],
  [`vllm:num_requests_running${LABELS}`, ['running + waiting requests + KV usage = 0']],
  [
    `vllm:generation_tokens_total${LABELS}`,
    [
      'generation_tokens = request_generation_tokens sum',
      'iteration_tokens sum = local_compute + generation tokens',
    ],
  ],
])('catches %s when it is one off, or missing', (key, names) => {
  expect(samples.has(key)).toBe(true);
  for (const results of [
    broken((map) => map.set(key, map.get(key)! + 1)),
    broken((map) => map.delete(key)),
  ]) {
    expect(results.map(({ name }) => name)).toEqual(names);
    expect(results.every(({ engineIndex }) => engineIndex === 1)).toBe(true);
  }
});

it('catches a finish reason that lost a request in every identity that counts them', () => {
  const key = `vllm:request_success_total{engine="0",finished_reason="abort",model_name="${MODEL_NAME}"}`;
  expect(samples.has(key)).toBe(true);
  expect(broken((map) => map.set(key, map.get(key)! - 1))).toHaveLength(13);
});

it('prints each figure that holds, and both where they differ', () => {
  const results = checkIdentities(new Page(samples, MODEL_NAME), engines);
  const [headline, first] = identityLines(results);
  expect(headline).toBe('Identities: 40 checked, all hold');
  expect(first).toMatch(/^ok {2}Σ request_success = requests submitted +engine 0: \d+ +engine 1: \d+$/);
  const failing = results.map((result) =>
    result === results[1] ? { ...result, left: 3, right: 4, holds: false } : result,
  );
  const lines = identityLines(failing);
  expect(lines[0]).toBe('Identities: 40 checked, 1 FAILED');
  expect(lines[1]).toMatch(/^FAILED {2}Σ request_success = requests submitted +engine 1: 3 is not 4$/);
});
