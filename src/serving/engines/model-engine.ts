/** What all instances on a registry share about one engine of one model. */
import type { MetricFamily } from '../../metric/family.js';
import type { Series } from '../../metric/series.js';

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

function hide(held: readonly HeldSeries[], hidden: boolean): void {
  for (const { family, series } of held) family.hide(series, hidden);
}

export class ModelEngine {
  readonly index: number;
  removed = false;
  /** How many instances know the engine. */
  users = 0;
  cacheConfig: Readonly<Record<string, string>> | undefined;
  readonly #series: StateSeries;

  /** A new engine is awake. */
  constructor(index: number, series: StateSeries) {
    this.index = index;
    this.#series = series;
    this.setSleepState(0);
  }

  /** Sets exactly one sleep state to 1. */
  setSleepState(position: number): void {
    this.#series.sleep.forEach(({ series }, i) => {
      series.put(i === position ? 1 : 0);
    });
  }

  /** Takes the engine's state off the page; counters and histograms stay. */
  remove(): void {
    this.removed = true;
    this.cacheConfig = undefined;
    hide(this.#series.scheduler, true);
    hide(this.#series.sleep, true);
    this.requestEnded();
  }

  /** Brings a removed engine back: awake, without a cache configuration, gauges at 0. */
  revive(): void {
    if (!this.removed) return;
    this.removed = false;
    for (const { series } of this.#series.scheduler) series.put(0);
    this.setSleepState(0);
    hide(this.#series.scheduler, false);
    hide(this.#series.sleep, false);
    this.requestStarted();
  }

  /** A live request is always on the page: the gauge may be hidden by an instance with another prefix, which shares it. */
  requestStarted(): void {
    this.#series.inFlight.family.hide(this.#series.inFlight.series, false);
  }

  /** A removed engine's in-flight gauge leaves when it is 0. */
  requestEnded(): void {
    const { family, series } = this.#series.inFlight;
    if (this.removed && series.value === 0) family.hide(series, true);
  }
}
