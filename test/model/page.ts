/** A page as numbers and lists of samples. */
import { engineLabels, keyOf } from '../support/samples.js';
import { HISTOGRAMS, LABELLED, SCALARS } from './bounds.js';
import type { Extra, Sheet } from './sheet.js';

const IN_FLIGHT = 'rx_engine_metrics_requests_in_flight';

function spelledBound(bound: number): string {
  return Number.isInteger(bound) ? `${bound}.0` : String(bound);
}

export class ReferencePage implements Sheet {
  /** Diagnostics by source. */
  readonly invalid: Record<string, number> = {};
  readonly #scalars = new Map<string, number>();
  /** By engine: each histogram's samples as they came. */
  readonly #observed = new Map<number, Map<string, number[]>>();

  /** An engine's fixed series, all zero. */
  addEngine(engine: number): void {
    if (this.#observed.has(engine)) return;
    this.#observed.set(engine, new Map(Object.keys(HISTOGRAMS).map((name) => [name, []])));
    this.inFlight(engine, 0);
    for (const name of SCALARS) this.add(name, engine, 0);
    for (const [name, label, values] of LABELLED)
      for (const value of values) this.add(name, engine, 0, { [label]: value });
    this.set('engine_sleep_state', engine, 1, { sleep_state: 'awake' });
  }

  add(name: string, engine: number, n: number, extra: Extra = {}): void {
    const key = keyOf(`vllm:${name}`, engineLabels(engine, extra));
    this.#scalars.set(key, (this.#scalars.get(key) ?? 0) + n);
  }

  set(name: string, engine: number, value: number, extra: Extra = {}): void {
    this.#scalars.set(keyOf(`vllm:${name}`, engineLabels(engine, extra)), value);
  }

  gauge(name: string, engine: number, extra: Extra = {}): number {
    return this.#scalars.get(keyOf(`vllm:${name}`, engineLabels(engine, extra))) ?? 0;
  }

  odd(source: string): void {
    this.invalid[source] = (this.invalid[source] ?? 0) + 1;
  }

  observe(name: string, engine: number, value: number): void {
    this.#observed.get(engine)!.get(name)!.push(value);
  }

  inFlight(engine: number, by: number): void {
    const key = keyOf(IN_FLIGHT, engineLabels(engine));
    this.#scalars.set(key, (this.#scalars.get(key) ?? 0) + by);
  }

  /** All samples, keyed as by `readSamples`. */
  samples(): ReadonlyMap<string, number> {
    const samples = new Map(this.#scalars);
    for (const [engine, histograms] of this.#observed) {
      for (const [name, values] of histograms)
        for (const [suffix, extra, value] of expand(HISTOGRAMS[name]!, values))
          samples.set(keyOf(`vllm:${name}_${suffix}`, engineLabels(engine, extra)), value);
    }
    return samples;
  }
}

type Line = readonly [suffix: string, extra: Extra, value: number];

function expand(bounds: readonly number[], values: readonly number[]): Line[] {
  return [
    ...bounds.map(
      (bound): Line => [
        'bucket',
        { le: spelledBound(bound) },
        values.filter((value) => value <= bound).length,
      ],
    ),
    ['bucket', { le: '+Inf' }, values.length],
    ['count', {}, values.length],
    ['sum', {}, values.reduce((sum, value) => sum + value, 0)],
  ];
}
