/** The driver's own plain counts, by the names that the page has for them. */
import { OMITTABLE, TERMINAL } from '../model/identities.js';

/** Families with one series per engine, or the part after `|` as one more label. */
export const COUNTERS = [
  'num_preemptions_total',
  'prompt_tokens_total',
  'prompt_tokens_by_source_total|source="local_compute"',
  'prompt_tokens_by_source_total|source="local_cache_hit"',
  'prompt_tokens_by_source_total|source="external_kv_transfer"',
  'prompt_tokens_cached_total',
  'prompt_tokens_cached_by_source_total|source="device"',
  'generation_tokens_total',
  'request_success_total|finished_reason="stop"',
  'request_success_total|finished_reason="length"',
  'request_success_total|finished_reason="abort"',
  'request_success_total|finished_reason="error"',
  'request_success_total|finished_reason="repetition"',
  'corrupted_requests_total',
  'prefix_cache_queries_total',
  'prefix_cache_hits_total',
  'spec_decode_num_drafts_total',
  'spec_decode_num_draft_tokens_total',
  'spec_decode_num_accepted_tokens_total',
] as const;

/** One sample of each per ended request. */
type PerRequest = (typeof TERMINAL)[number] | (typeof OMITTABLE)[number];

export const PER_REQUEST: readonly PerRequest[] = [...TERMINAL, ...OMITTABLE];

export type HistogramName = PerRequest | (typeof FURTHER)[number];

const FURTHER = [
  'request_max_num_generation_tokens',
  'request_params_n',
  'request_params_max_tokens',
  'time_to_first_token_seconds',
  'inter_token_latency_seconds',
  'iteration_tokens_total',
] as const;

export const HISTOGRAMS: readonly HistogramName[] = [...PER_REQUEST, ...FURTHER];

export type Reason = 'stop' | 'length' | 'abort' | 'error' | 'repetition';

export class Sample {
  count = 0;
  sum = 0;

  add(value: number): void {
    this.count++;
    this.sum += value;
  }
}

function each<K extends string, V>(keys: readonly K[], make: () => V): Record<K, V> {
  return Object.fromEntries(keys.map((key) => [key, make()])) as Record<K, V>;
}

/** What one engine of one model should show. */
export class EngineCounts {
  readonly counters: Record<(typeof COUNTERS)[number], number> = each(COUNTERS, () => 0);
  readonly histograms: Record<HistogramName, Sample> = each(HISTOGRAMS, () => new Sample());
  readonly gauges: Record<'running' | 'capacity' | 'deferred' | 'kvUsage', number> = {
    running: 0,
    capacity: 0,
    deferred: 0,
    kvUsage: 0,
  };
  removed = false;
  inFlight = 0;

  success(reason: Reason): void {
    this.counters[`request_success_total|finished_reason="${reason}"`]++;
  }

  idle(): void {
    Object.assign(this.gauges, { running: 0, capacity: 0, deferred: 0, kvUsage: 0 });
  }

  /** A new subscription brings a removed engine back at 0; stats that were still under way do not. */
  revive(): void {
    if (this.removed) this.idle();
    this.removed = false;
  }
}

/** What one model should show; starts anew when the model leaves the page. */
export class ModelCounts {
  readonly engines: Map<number, EngineCounts> = new Map();
  /** Values that were odd, by source. */
  readonly odd: Map<string, number> = new Map();
  ended = 0;

  engine(index: number): EngineCounts {
    let counts = this.engines.get(index);
    if (counts === undefined) {
      counts = new EngineCounts();
      this.engines.set(index, counts);
    }
    return counts;
  }

  report(source: string): void {
    this.odd.set(source, (this.odd.get(source) ?? 0) + 1);
  }
}
