/** The stats log of one instance for one reader: what happened between its ticks. */
import type { EngineSlot } from './engine-slot.js';
import type { ServingCore } from './serving-core.js';
import { EngineInterval } from './stats-engine.js';
import { StatsGroup } from './stats-group.js';
import type { StatsLogEntry } from './stats-log-entry.js';

export interface StatsReaderOptions {
  /** One entry per engine and tick, or one for all engines. */
  readonly perEngine: boolean;
  /** How long an interval should last, in ms. */
  readonly every: number;
  /** The reader's clock at its start, in ms. */
  readonly now: number;
}

export class StatsReader {
  readonly #core: ServingCore;
  readonly #options: StatsReaderOptions;
  readonly #engines = new Map<EngineSlot, EngineInterval>();
  readonly #groups = new Map<number, StatsGroup>();
  #last: number;

  /** What the engines have done until now is not of any interval. */
  constructor(core: ServingCore, options: StatsReaderOptions) {
    this.#core = core;
    this.#options = options;
    this.#last = options.now;
    this.#advance();
  }

  /** Ends the interval at `now` ms of the reader's clock and gives its entries, engines in ascending order. */
  read(now: number): StatsLogEntry[] {
    const seconds = this.#elapsedSeconds(now);
    this.#advance();
    const groups = [...this.#groups].sort(([one], [other]) => one - other);
    return groups.map(([, group]) => group.read(seconds)).filter((entry) => entry !== undefined);
  }

  /** Engines that are not there advance as well, so that one that comes back does not bring its absence along. */
  #advance(): void {
    for (const slot of this.#core.slots()) {
      let engine = this.#engines.get(slot);
      if (engine === undefined) {
        engine = new EngineInterval(slot);
        this.#engines.set(slot, engine);
        this.#groupOf(slot.index).add(engine);
      }
      engine.advance();
    }
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
