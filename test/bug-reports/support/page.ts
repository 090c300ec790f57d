/** One scrape, read by the reports' shorthand for families. */
import { expect } from 'vitest';
import { keyOf } from '../../support/samples.js';

const FAMILIES = {
  SUCCESS: 'request_success_total',
  PTOK: 'prompt_tokens_total',
  GTOK: 'generation_tokens_total',
  PREEMPT_TOTAL: 'num_preemptions_total',
  TTFT: 'time_to_first_token_seconds',
  ITL: 'inter_token_latency_seconds',
  TPOT: 'request_time_per_output_token_seconds',
  E2E: 'e2e_request_latency_seconds',
  QUEUE: 'request_queue_time_seconds',
  PREFILL: 'request_prefill_time_seconds',
  DECODE: 'request_decode_time_seconds',
  INFER: 'request_inference_time_seconds',
  PROMPT_HIST: 'request_prompt_tokens',
  GEN_HIST: 'request_generation_tokens',
  PREEMPT_HIST: 'request_num_preemptions',
  NPARAM: 'request_params_n',
  MAXGEN: 'request_max_num_generation_tokens',
  MAXTOK: 'request_params_max_tokens',
  ITER: 'iteration_tokens_total',
} as const;

export type Shorthand = keyof typeof FAMILIES;

type Labels = Readonly<Record<string, string>>;

interface Histogram {
  readonly n: number | undefined;
  readonly sum: number | undefined;
}

/** A histogram of `n` samples that add up to `sum`: to the nanosecond, since stamps are differences of doubles. */
export function seen(n: number, sum = 0): Histogram {
  return { n, sum: expect.closeTo(sum, 9) as number };
}

const NONE: Histogram = { n: 0, sum: 0 };

export { NONE };

export class Page {
  readonly samples: ReadonlyMap<string, number>;
  readonly #labels: Labels;

  constructor(samples: ReadonlyMap<string, number>, labels: Labels) {
    this.samples = samples;
    this.#labels = labels;
  }

  /** A sample's value by the report's shorthand or the family's name; undefined if it is not on the page. */
  value(name: string, labels: Labels = {}, suffix = ''): number | undefined {
    const family = name in FAMILIES ? FAMILIES[name as Shorthand] : name;
    return this.samples.get(keyOf(`vllm:${family}${suffix}`, { ...this.#labels, ...labels }));
  }

  /** Some histograms at once. */
  histograms<S extends Shorthand>(...names: readonly S[]): Record<S, Histogram> {
    const entries = names.map((name) => [
      name,
      { n: this.value(name, {}, '_count'), sum: this.value(name, {}, '_sum') },
    ]);
    return Object.fromEntries(entries) as Record<S, Histogram>;
  }

  /** Samples of a histogram at or below a bound. */
  bucket(name: Shorthand, le: string): number | undefined {
    return this.value(name, { le }, '_bucket');
  }

  /** Terminal records by reason, zeros left out. */
  endings(): Record<string, number> {
    const reasons = ['stop', 'length', 'abort', 'error', 'repetition'];
    const counts = reasons.map(
      (reason) => [reason, this.value('SUCCESS', { finished_reason: reason })] as const,
    );
    return Object.fromEntries(counts.filter(([, count]) => count !== 0)) as Record<string, number>;
  }

  /** Samples whose name begins so. */
  starting(name: string): [string, number][] {
    return [...this.samples].filter(([key]) => key.startsWith(`vllm:${name}`));
  }
}
