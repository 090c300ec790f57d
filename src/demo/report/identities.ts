/** What must hold between the figures of a page once nothing is in flight, engine by engine. */

import type { EngineCounts } from '../run/run-record.js';
import type { Page } from './page.js';

/** Two ways to one figure. */
interface Identity {
  readonly name: string;
  readonly left: (page: Page, engine: number) => number;
  readonly right: (page: Page, engine: number, counts: EngineCounts) => number;
  /** Where it says nothing; without it it always holds. */
  readonly isAside?: (counts: EngineCounts) => boolean;
}

export interface IdentityResult {
  readonly name: string;
  readonly engineIndex: number;
  readonly left: number;
  readonly right: number;
  readonly holds: boolean;
}

/** The histograms that take one sample of each ended request; `max_tokens` only if it has one. */
const TERMINAL_HISTOGRAMS: readonly string[] = [
  'e2e_request_latency_seconds',
  'request_queue_time_seconds',
  'request_prefill_time_seconds',
  'request_decode_time_seconds',
  'request_inference_time_seconds',
  'request_time_per_output_token_seconds',
  'request_prompt_tokens',
  'request_generation_tokens',
  'request_prefill_kv_computed_tokens',
  'request_num_preemptions',
];

/** Those that take one of all siblings together. */
const PARENT_HISTOGRAMS: readonly string[] = ['request_max_num_generation_tokens', 'request_params_n'];

function figure(name: string): (page: Page, engine: number) => number {
  return (page, engine) => page.value(`vllm:${name}`, engine);
}

const finished = (page: Page, engine: number): number => page.sum('vllm:request_success_total', engine);
const generated = figure('generation_tokens_total');
const firstTokens = figure('time_to_first_token_seconds_count');

function computed(page: Page, engine: number): number {
  const labels = { source: 'local_compute' };
  return page.value('vllm:prompt_tokens_by_source_total', engine, labels) + generated(page, engine);
}

function atWork(page: Page, engine: number): number {
  const gauges = ['num_requests_running', 'num_requests_waiting', 'kv_cache_usage_perc'];
  return gauges.reduce((sum, name) => sum + figure(name)(page, engine), 0);
}

/**
 * Those about what was submitted, and the last two, are the demo's own.
 * @see architecture.md §3, "identities when nothing is in flight"
 */
const IDENTITIES: readonly Identity[] = [
  {
    name: 'Σ request_success = requests submitted',
    left: finished,
    right: (_p, _e, counts) => counts.submitted,
  },
  ...TERMINAL_HISTOGRAMS.map((name) => ({
    name: `${name} count = Σ request_success`,
    left: figure(`${name}_count`),
    right: finished,
  })),
  ...PARENT_HISTOGRAMS.map((name) => ({
    name: `${name} count = Σ request_success, siblings as one`,
    left: figure(`${name}_count`),
    right: (page: Page, engine: number, { siblings }: EngineCounts) => finished(page, engine) - siblings,
  })),
  {
    name: 'request_prompt_tokens sum = prompt tokens submitted',
    left: figure('request_prompt_tokens_sum'),
    right: (_page, _engine, counts) => counts.promptTokens,
  },
  {
    name: 'generation_tokens = request_generation_tokens sum',
    left: generated,
    right: figure('request_generation_tokens_sum'),
  },
  {
    name: 'iteration_tokens sum = local_compute + generation tokens',
    left: figure('iteration_tokens_total_sum'),
    right: computed,
    // A step's tokens count when they are sent; nobody was there for these.
    isAside: ({ strayOutputs }) => strayOutputs > 0,
  },
  {
    name: 'inter_token_latency count = outputs with tokens − first tokens',
    left: figure('inter_token_latency_seconds_count'),
    right: (page, engine, counts) =>
      counts.outputsWithTokens - counts.strayOutputs - firstTokens(page, engine),
  },
  {
    name: 'request_num_preemptions sum = num_preemptions',
    left: figure('request_num_preemptions_sum'),
    right: figure('num_preemptions_total'),
  },
  {
    name: 'requests in flight = 0',
    left: (page, engine) => page.value('rx_engine_metrics_requests_in_flight', engine),
    right: () => 0,
  },
  { name: 'running + waiting requests + KV usage = 0', left: atWork, right: () => 0 },
];

/** Checks each identity on each engine; a sample that is missing makes it fail. */
export function checkIdentities(page: Page, engines: ReadonlyMap<number, EngineCounts>): IdentityResult[] {
  return IDENTITIES.flatMap(({ name, left, right, isAside }) =>
    [...engines]
      .filter(([, counts]) => isAside?.(counts) !== true)
      .map(([engineIndex, counts]) => {
        const values = { left: left(page, engineIndex), right: right(page, engineIndex, counts) };
        return { name, engineIndex, ...values, holds: values.left === values.right };
      }),
  );
}
