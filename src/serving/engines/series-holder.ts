/** One instance's hold on the series of its model: resolved once, given back together. */
import type { CounterHandle } from '../../metric/counter.js';
import type { MetricType } from '../../metric/descriptor.js';
import { type HandleByType, handleOf, type MetricFamily } from '../../metric/family.js';
import type { GaugeHandle } from '../../metric/gauge.js';
import type { Handle } from '../../metric/handle.js';
import type { HistogramHandle } from '../../metric/histogram.js';
import type { RegisteredFamily } from '../../prom/registered-family.js';
import type { Catalog, CatalogKey } from '../catalog/catalog.js';
import type { HeldSeries } from './engine-state.js';
import type { Families } from './families.js';

/** Catalogue keys of one type of metric. */
export type KeysOf<T extends MetricType> = {
  [K in CatalogKey]: Catalog[K]['type'] extends T ? K : never;
}[CatalogKey];

export class SeriesHolder {
  readonly #families: Families;
  readonly #modelName: string;
  readonly #held = new Map<Handle, HeldSeries>();
  /** False once given back: what is resolved then is on no page. */
  #live = true;

  constructor(families: Families, modelName: string) {
    this.#families = families;
    this.#modelName = modelName;
  }

  counter(key: KeysOf<'counter'>, engine: string, ...extra: readonly string[]): CounterHandle {
    return this.#resolve<'counter'>(this.#families.byKey.get(key)!, engine, ...extra);
  }

  gauge(key: KeysOf<'gauge'>, engine: string, ...extra: readonly string[]): GaugeHandle {
    return this.#resolve<'gauge'>(this.#families.byKey.get(key)!, engine, ...extra);
  }

  histogram(key: KeysOf<'histogram'>, engine: string, ...extra: readonly string[]): HistogramHandle {
    return this.#resolve<'histogram'>(this.#families.byKey.get(key)!, engine, ...extra);
  }

  inFlight(engine: string): GaugeHandle {
    return this.#resolve<'gauge'>(this.#families.inFlight, engine);
  }

  invalidValues(source: string): CounterHandle {
    return this.#resolve<'counter'>(this.#families.invalidValues, source);
  }

  /** The series behind a handle that this holder resolved; undefined once it has given them back. */
  seriesOf(handle: Handle): HeldSeries | undefined {
    return this.#held.get(handle);
  }

  /** Gives all series back: handles go quiet, series that nobody else holds leave the page. */
  release(): void {
    this.#live = false;
    for (const [handle, { family, series }] of this.#held) {
      handle.detach();
      series.owners--;
      if (series.owners === 0) family.remove(series);
    }
    this.#held.clear();
  }

  #resolve<T extends MetricType>(
    { family }: RegisteredFamily,
    ...labels: readonly string[]
  ): HandleByType[T] {
    const typed = family as MetricFamily<T>;
    if (!this.#live) return handleOf<T>(typed, typed.orphan(this.#modelName, ...labels));
    const series = typed.series(this.#modelName, ...labels);
    const handle = handleOf<T>(typed, series);
    series.owners++;
    this.#held.set(handle, { family, series });
    return handle;
  }
}
