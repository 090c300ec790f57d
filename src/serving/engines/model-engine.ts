/** What all instances on a registry share about one engine of one model. */
import type { MetricFamily } from '../../metric/family.js';
import type { Series } from '../../metric/series.js';
import { Stamp } from '../../metric/stamp.js';
import { CacheResets } from './cache-resets.js';

/** A series and the family that shows it. */
export interface HeldSeries {
  readonly family: MetricFamily;
  readonly series: Series;
}

/** The series that say what an engine is doing now, and so leave the page with it. */
export interface StateSeries {
  /** Scheduler gauges: idle is 0. */
  readonly scheduler: readonly HeldSeries[];
  /** One per sleep state, awake first. */
  readonly sleep: readonly HeldSeries[];
  readonly inFlight: HeldSeries;
}

/** Where the gauge of the last step comes from: an object rather than a closure, which each step would allocate. */
export interface LastStepSource {
  lastStep(): HeldSeries;
}

function stampAll(held: readonly HeldSeries[], key: string): Stamp {
  const stamp = new Stamp(key);
  for (const { series } of held) series.stamp = stamp;
  return stamp;
}

function hide(held: readonly HeldSeries[], hidden: boolean): void {
  for (const { family, series } of held) family.hide(series, hidden);
}

export class ModelEngine {
  readonly index: number;
  removed = false;
  cacheConfig: Readonly<Record<string, string>> | undefined;
  /** When it was set. */
  readonly configured: Stamp;
  /** When the prefix caches were last emptied, for readers that keep rates. */
  readonly prefixCacheResets: CacheResets = new CacheResets();
  readonly externalCacheResets: CacheResets = new CacheResets();
  readonly #series: StateSeries;
  /** When stats came last, or the engine was said to be idle. */
  readonly #heard: Stamp;
  /** When its sleep state was set; that a new engine is awake is nobody's word. */
  readonly #slept: Stamp;
  /** Made at the engine's first step. */
  #lastStep: HeldSeries | undefined;

  /** A new engine is awake. */
  constructor(index: number, series: StateSeries) {
    this.index = index;
    this.#series = series;
    const key = `${series.inFlight.series.labels['model_name']}/${index}`;
    this.configured = new Stamp(key);
    this.#heard = stampAll(series.scheduler, key);
    this.#slept = stampAll(series.sleep, key);
    this.#putSleepState(0);
  }

  /** Sets exactly one sleep state to 1, by the engine's own word. */
  setSleepState(position: number): void {
    this.#putSleepState(position);
    this.#slept.now();
  }

  setCacheConfig(labels: Readonly<Record<string, string>>): void {
    this.cacheConfig = labels;
    this.configured.now();
  }

  /** Its scheduler gauges are what it last said. */
  heard(): void {
    this.#heard.now();
  }

  #putSleepState(position: number): void {
    this.#series.sleep.forEach(({ series }, i) => {
      series.put(i === position ? 1 : 0);
    });
  }

  /** Notes that a step came now; one of a removed engine was still under way. `instance` recorded it. */
  stepped(instance: LastStepSource, withStats: boolean): void {
    if (this.removed) return;
    const now = Date.now(); // once: each reading allocates
    if (withStats) this.#heard.at = now;
    this.#lastStep ??= instance.lastStep();
    this.#lastStep.series.put(now / 1000);
    if (this.#lastStep.series.hidden) this.#settleLastStep();
  }

  /** Takes the engine's state off the page; counters and histograms stay. */
  remove(): void {
    this.removed = true;
    this.cacheConfig = undefined;
    hide(this.#series.scheduler, true);
    hide(this.#series.sleep, true);
    this.#settleShared();
  }

  /** Brings a removed engine back: awake, without a cache configuration, gauges at 0. */
  revive(): void {
    this.removed = false;
    for (const { series } of this.#series.scheduler) series.put(0);
    this.#putSleepState(0);
    for (const stamp of [this.#heard, this.#slept, this.configured]) stamp.forget();
    hide(this.#series.scheduler, false);
    hide(this.#series.sleep, false);
    this.#settleShared();
  }

  /** The in-flight gauge of a removed engine is on the page as long as it is not 0. */
  settleInFlight(): void {
    const { family, series } = this.#series.inFlight;
    family.hide(series, this.#isIdle(series) && series.value === 0);
  }

  /** The model leaves the page: what it shares with the same model under another prefix is the other's alone. */
  release(): void {
    this.removed = false;
    this.#settleShared();
  }

  #settleShared(): void {
    this.settleInFlight();
    if (this.#lastStep !== undefined) this.#settleLastStep();
  }

  /** It returns with the first step after the engine is back: 0 is no time. */
  #settleLastStep(): void {
    const { family, series } = this.#lastStep!;
    if (this.#isIdle(series)) series.put(0);
    family.hide(series, series.value === 0);
  }

  /**
   * True if the engine is removed for all that own the series. These two families have no prefix: the same model under
   * two prefixes shares their series, and one of them must not hide what the other still uses.
   */
  #isIdle(series: Series): boolean {
    series.idleOwners ??= new Set();
    if (this.removed) series.idleOwners.add(this);
    else series.idleOwners.delete(this);
    return series.idleOwners.size >= series.owners;
  }
}
