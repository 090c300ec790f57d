/** What the structs of handles are built on: it resolves the series of one engine. */
import type { CounterHandle } from '../../metric/counter.js';
import type { GaugeHandle } from '../../metric/gauge.js';
import type { HistogramHandle } from '../../metric/histogram.js';
import type { KeysOf, SeriesHolder } from './series-holder.js';

export abstract class EngineSeries {
  readonly #holder: SeriesHolder;
  readonly #engine: string;

  /** @internal */
  constructor(holder: SeriesHolder, engineIndex: number) {
    this.#holder = holder;
    this.#engine = String(engineIndex);
  }

  /** @internal */
  protected counter(key: KeysOf<'counter'>, ...extra: readonly string[]): CounterHandle {
    return this.#holder.counter(key, this.#engine, ...extra);
  }

  /** @internal */
  protected gauge(key: KeysOf<'gauge'>, ...extra: readonly string[]): GaugeHandle {
    return this.#holder.gauge(key, this.#engine, ...extra);
  }

  /** @internal */
  protected histogram(key: KeysOf<'histogram'>, ...extra: readonly string[]): HistogramHandle {
    return this.#holder.histogram(key, this.#engine, ...extra);
  }

  /** @internal */
  protected inFlight(): GaugeHandle {
    return this.#holder.inFlight(this.#engine);
  }
}
