/** What terminal records add up to, from a list of ended requests written out by hand. */
import { expect } from 'vitest';
import type { FinishReason } from '../../../src/index.js';
import type { Recording } from '../../support/recording.js';

/** One ended request, times in seconds. */
export interface Ended {
  readonly reason: FinishReason;
  readonly tokens: number;
  readonly e2e: number;
  /** Absent if no token came. */
  readonly ttft?: number;
  readonly queue?: number;
  readonly prefill?: number;
  readonly decode?: number;
  readonly inference?: number;
  readonly itl?: readonly number[];
  readonly preemptions?: number;
  readonly prompt?: number;
  readonly maxTokens?: number;
}

/** Prompt and max_tokens of the requests of these tests. */
export const PROMPT = 7;
export const MAX_TOKENS = 16;

type Samples = readonly number[];

function perToken({ decode = 0, tokens }: Ended): number {
  return tokens > 1 ? decode / (tokens - 1) : 0;
}

/** Every family that a request's life records, with its samples. */
function histograms(ended: readonly Ended[]): Record<string, Samples> {
  const prompts = ended.map(({ prompt = PROMPT }) => prompt);
  const generated = ended.map(({ tokens }) => tokens);
  return {
    request_prompt_tokens: prompts,
    request_generation_tokens: generated,
    request_max_num_generation_tokens: generated,
    request_params_max_tokens: ended.map(({ maxTokens = MAX_TOKENS }) => maxTokens),
    request_params_n: ended.map(() => 1),
    request_num_preemptions: ended.map(({ preemptions = 0 }) => preemptions),
    request_prefill_kv_computed_tokens: prompts,
    time_to_first_token_seconds: ended.flatMap(({ ttft }) => ttft ?? []),
    inter_token_latency_seconds: ended.flatMap(({ itl = [] }) => itl),
    request_time_per_output_token_seconds: ended.map(perToken),
    e2e_request_latency_seconds: ended.map(({ e2e }) => e2e),
    request_queue_time_seconds: ended.map(({ queue = 0 }) => queue),
    request_prefill_time_seconds: ended.map(({ prefill = 0 }) => prefill),
    request_decode_time_seconds: ended.map(({ decode = 0 }) => decode),
    request_inference_time_seconds: ended.map(({ inference = 0 }) => inference),
  };
}

const add = (samples: Samples): number => samples.reduce((sum, sample) => sum + sample, 0);

/** Checks every family's count and sum on engine 0, and that nothing is in flight. */
export async function expectEnded({ metrics, samples }: Recording, ended: readonly Ended[]): Promise<void> {
  const page = await samples();
  const expected = histograms(ended);
  const found = Object.fromEntries(Object.keys(expected).map((name) => [name, page.histogram(name)]));
  const wanted = Object.entries(expected).map(([name, list]) => [
    name,
    [list.length, expect.closeTo(add(list), 9)],
  ]);
  expect(found).toEqual(Object.fromEntries(wanted));
  const reasons: Record<string, number> = {};
  for (const { reason } of ended) reasons[reason] = (reasons[reason] ?? 0) + 1;
  expect(page.success()).toEqual(reasons);
  const firsts = ended.filter(({ ttft }) => ttft !== undefined);
  const promptTokens = add(firsts.map(({ prompt = PROMPT }) => prompt));
  expect(page.value('prompt_tokens_total')).toBe(promptTokens);
  expect(page.value('prompt_tokens_by_source_total', 0, { source: 'local_compute' })).toBe(promptTokens);
  expect(page.value('generation_tokens_total')).toBe(add(ended.map(({ tokens }) => tokens)));
  expect(page.value('num_preemptions_total')).toBe(add(ended.map(({ preemptions = 0 }) => preemptions)));
  expect([page.inFlight(), metrics.inFlight]).toEqual([0, 0]);
}
