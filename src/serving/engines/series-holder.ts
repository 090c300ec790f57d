/** One instance's handles of its model's series: resolved once, gone quiet together. */
import type { Counter } from '../../metric/counter.js';
import type { MetricType } from '../../metric/descriptor.js';
import { type HandleByType, handleOf, type MetricFamily } from '../../metric/family.js';
import type { Gauge } from '../../metric/gauge.js';
import type { Handle } from '../../metric/handle.js';
import type { Histogram } from '../../metric/histogram.js';
import type { RegisteredFamily } from '../../prom/registered-family.js';
import type { KeysOf } from '../catalog/catalog.js';
import type { TokenSource } from '../recording-context.js';
import type { Families } from './families.js';
import type { HeldSeries } from './model-engine.js';
import type { ServedModel } from './served-model.js';

export class SeriesHolder {
  readonly #families: Families;
  readonly #model: ServedModel;
  readonly #engineNames: readonly string[];
  readonly #held = new Map<Handle, HeldSeries>();
  /** False once given back: what is resolved then is on no page. */
  #live = true;

  constructor(families: Families, model: ServedModel, engineNames: readonly string[]) {
    this.#families = families;
    this.#model = model;
    this.#engineNames = engineNames;
  }

  /** What the label `engine` says of an index. */
  engineLabel(index: number): string {
    return this.#engineNames[index] ?? String(index);
  }

  counter(key: KeysOf<'counter'>, engine: string, ...extra: readonly string[]): Counter {
    return this.#resolve<'counter'>(this.#families.byKey.get(key)!, engine, ...extra);
  }

  gauge(key: KeysOf<'gauge'>, engine: string, ...extra: readonly string[]): Gauge {
    return this.#resolve<'gauge'>(this.#families.byKey.get(key)!, engine, ...extra);
  }

  histogram(key: KeysOf<'histogram'>, engine: string, ...extra: readonly string[]): Histogram {
    return this.#resolve<'histogram'>(this.#families.byKey.get(key)!, engine, ...extra);
  }

  inFlight(engine: string): Gauge {
    return this.#resolve<'gauge'>(this.#families.inFlight, engine);
  }

  invalidValues(source: string): Counter {
    return this.#resolve<'counter'>(this.#families.invalidValues, source);
  }

  lastStep(engine: string): Gauge {
    return this.#resolve<'gauge'>(this.#families.lastStep, engine);
  }

  admissionRejections(reason: string): Counter {
    return this.#resolve<'counter'>(this.#families.admissionRejections, reason);
  }

  tokenCounts(): Readonly<Record<TokenSource, Counter>> {
    const counter = (source: TokenSource) => this.#resolve<'counter'>(this.#families.tokenCounts, source);
    return { usage: counter('usage'), token_ids: counter('token_ids'), chunks: counter('chunks') };
  }

  /** The series behind a handle that this holder resolved; undefined once it has given them back. */
  seriesOf(handle: Handle): HeldSeries | undefined {
    return this.#held.get(handle);
  }

  /** From now on the handles are quiet; the series are the model's. */
  release(): void {
    this.#live = false;
    for (const handle of this.#held.keys()) handle.detach();
    this.#held.clear();
  }

  #resolve<T extends MetricType>(
    { family }: RegisteredFamily,
    ...labels: readonly string[]
  ): HandleByType[T] {
    const typed = family as MetricFamily<T>;
    const { name } = this.#model;
    if (!this.#live) return handleOf<T>(typed, typed.orphan(name, ...labels));
    const held = { family, series: typed.series(name, ...labels) };
    const handle = handleOf<T>(typed, held.series);
    this.#model.hold(held);
    this.#held.set(handle, held);
    return handle;
  }
}

/** What the structs of handles are built on: it resolves the series of one engine. */
export abstract class EngineSeries {
  readonly #holder: SeriesHolder;
  readonly #engine: string;

  constructor(holder: SeriesHolder, engineIndex: number) {
    this.#holder = holder;
    this.#engine = holder.engineLabel(engineIndex);
  }

  protected counter(key: KeysOf<'counter'>, ...extra: readonly string[]): Counter {
    return this.#holder.counter(key, this.#engine, ...extra);
  }

  protected gauge(key: KeysOf<'gauge'>, ...extra: readonly string[]): Gauge {
    return this.#holder.gauge(key, this.#engine, ...extra);
  }

  protected histogram(key: KeysOf<'histogram'>, ...extra: readonly string[]): Histogram {
    return this.#holder.histogram(key, this.#engine, ...extra);
  }

  protected inFlight(): Gauge {
    return this.#holder.inFlight(this.#engine);
  }
}
