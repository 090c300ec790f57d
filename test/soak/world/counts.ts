/** What the page should show, kept small: sums and counts, by the names that the page has for them. */
import { LABELLED } from '../../model/bounds.js';
import { OMITTABLE, PER_PARENT, TERMINAL } from '../../model/identities.js';
import type { Extra, Sheet } from '../../model/sheet.js';

/** One sample of each per ended request. */
export const PER_REQUEST: readonly string[] = [...TERMINAL, ...OMITTABLE];

const HISTOGRAMS = [
  ...PER_REQUEST,
  ...PER_PARENT,
  'request_params_max_tokens',
  'time_to_first_token_seconds',
  'inter_token_latency_seconds',
  'iteration_tokens_total',
];

const COUNTERS = [
  'num_preemptions_total',
  'prompt_tokens_total',
  'prompt_tokens_cached_total',
  'generation_tokens_total',
  'corrupted_requests_total',
  'prefix_cache_queries_total',
  'prefix_cache_hits_total',
  'spec_decode_num_drafts_total',
  'spec_decode_num_draft_tokens_total',
  'spec_decode_num_accepted_tokens_total',
];

const GAUGES = ['num_requests_running', 'num_requests_waiting', 'kv_cache_usage_perc'];

/** By family, then by label value: millions of requests ask for a few names. */
const SPELLED = new Map<string, Map<string, string>>();

/** A series within an engine: its family, and the part after `|` as one more label. */
function seriesOf(name: string, extra: Extra | undefined): string {
  for (const label in extra) {
    const value = extra[label]!;
    return SPELLED.get(name)?.get(value) ?? spell(name, label, value);
  }
  return name;
}

function spell(name: string, label: string, value: string): string {
  const series = `${name}|${label}="${value}"`;
  const ofFamily = SPELLED.get(name) ?? new Map<string, string>();
  SPELLED.set(name, ofFamily.set(value, series));
  return series;
}

/** Labelled families of counters, or of gauges, with all their fixed children. */
function labelled(isCounter: boolean): string[] {
  return LABELLED.filter(([name]) => name.endsWith('_total') === isCounter).flatMap(([name, label, values]) =>
    values.map((value) => seriesOf(name, { [label]: value })),
  );
}

function zeros(names: readonly string[]): Map<string, number> {
  return new Map(names.map((name) => [name, 0]));
}

export class Sample {
  count = 0;
  sum = 0;

  add(value: number): void {
    this.count++;
    this.sum += value;
  }
}

/** What one engine of one model should show. */
export class EngineCounts {
  readonly counters: Map<string, number> = zeros([...COUNTERS, ...labelled(true)]);
  readonly gauges: Map<string, number> = zeros([...GAUGES, ...labelled(false)]);
  readonly histograms: ReadonlyMap<string, Sample> = new Map(HISTOGRAMS.map((name) => [name, new Sample()]));
  removed = false;
  inFlight = 0;

  idle(): void {
    for (const name of this.gauges.keys()) this.gauges.set(name, 0);
  }

  /** A new subscription brings a removed engine back at 0; stats that were still under way do not. */
  revive(): void {
    if (this.removed) this.idle();
    this.removed = false;
  }
}

/** What one model should show; starts anew when the model leaves the page. */
export class ModelCounts implements Sheet {
  readonly engines: Map<number, EngineCounts> = new Map();
  /** Values that were odd, by source. */
  readonly invalid: Map<string, number> = new Map();
  ended = 0;

  engine(index: number): EngineCounts {
    let counts = this.engines.get(index);
    if (counts === undefined) {
      counts = new EngineCounts();
      this.engines.set(index, counts);
    }
    return counts;
  }

  add(name: string, engine: number, n: number, extra?: Extra): void {
    const { counters } = this.engine(engine);
    const series = seriesOf(name, extra);
    counters.set(series, (counters.get(series) ?? 0) + n);
    if (name === 'request_success_total') this.ended += n;
  }

  set(name: string, engine: number, value: number, extra?: Extra): void {
    this.engine(engine).gauges.set(seriesOf(name, extra), value);
  }

  gauge(name: string, engine: number, extra?: Extra): number {
    return this.engine(engine).gauges.get(seriesOf(name, extra)) ?? 0;
  }

  observe(name: string, engine: number, value: number): void {
    this.engine(engine).histograms.get(name)!.add(value);
  }

  inFlight(engine: number, by: number): void {
    this.engine(engine).inFlight += by;
  }

  odd(source: string): void {
    this.invalid.set(source, (this.invalid.get(source) ?? 0) + 1);
  }
}
