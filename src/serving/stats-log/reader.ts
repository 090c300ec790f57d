/** The stats log of one instance for one reader: what happened between its ticks. */
import type { InstanceEngine } from '../engines/instance-engine.js';
import type { ServingCore } from '../engines/serving-core.js';
import type { StatsLogEntry } from './entry.js';
import { IntervalFigures } from './figures.js';
import { formatStatsLog } from './format.js';
import { EngineInterval } from './interval.js';

export interface StatsReaderOptions {
  /** One entry per engine and tick, or one for all engines. */
  readonly perEngine: boolean;
  /** How long an interval should last, in ms. */
  readonly every: number;
  /** The reader's clock at its start, in ms. */
  readonly now: number;
}

/** The engines that share one entry of the stats log, and what the log remembers of them from tick to tick. */
class StatsGroup {
  readonly #engines: EngineInterval[] = [];
  #figures = new IntervalFigures();
  #wasBusy = false;

  add(engine: EngineInterval): void {
    this.#engines.push(engine);
  }

  /**
   * The entry for an interval that all engines have ended; undefined if none of them is there. What comes back after
   * that is new to the log.
   */
  read(seconds: number): StatsLogEntry | undefined {
    const present = this.#engines.filter((engine) => !engine.removed);
    if (present.length === 0) {
      this.#figures = new IntervalFigures();
      this.#wasBusy = false;
      return undefined;
    }
    const stats = this.#figures.read(present, seconds);
    const busy = stats.promptThroughput !== 0 || stats.generationThroughput !== 0;
    const level = busy || this.#wasBusy ? 'info' : 'debug';
    this.#wasBusy = busy;
    const lines = formatStatsLog(stats);
    // `formatStatsLog` always makes the main line.
    return { level, line: lines[0]!, lines, stats };
  }
}

export class StatsReader {
  readonly #options: StatsReaderOptions;
  readonly #engines: EngineInterval[] = [];
  readonly #groups = new Map<number, StatsGroup>();
  #last: number;

  /** What the engines have done until now is not of any interval. */
  constructor(core: ServingCore, options: StatsReaderOptions) {
    this.#options = options;
    this.#last = options.now;
    for (const engine of core.engines()) this.add(engine);
  }

  /** Takes an engine in; what another instance has recorded on it until now is not of any interval either. */
  add(engine: InstanceEngine): void {
    const interval = new EngineInterval(engine);
    interval.advance();
    this.#engines.push(interval);
    this.#groupOf(engine.index).add(interval);
  }

  /** Ends the interval at `now` ms of the reader's clock and gives its entries, engines in ascending order. */
  read(now: number): StatsLogEntry[] {
    const seconds = this.#elapsedSeconds(now);
    // Engines that are not there advance as well, so that one that comes back does not bring its absence along.
    for (const engine of this.#engines) engine.advance();
    const groups = [...this.#groups].sort(([one], [other]) => one - other);
    return groups.map(([, group]) => group.read(seconds)).filter((entry) => entry !== undefined);
  }

  #groupOf(engineIndex: number): StatsGroup {
    const key = this.#options.perEngine ? engineIndex : 0;
    let group = this.#groups.get(key);
    if (group === undefined) {
      group = new StatsGroup();
      this.#groups.set(key, group);
    }
    return group;
  }

  /** Never 0 or less: if the clock stood still or went back, as a wall clock may, the interval is as long as planned. */
  #elapsedSeconds(now: number): number {
    const elapsed = now - this.#last;
    this.#last = now;
    return (elapsed > 0 ? elapsed : this.#options.every) / 1000;
  }
}
