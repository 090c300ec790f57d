/** The stats log of one instance for one reader: what happened between its ticks. */
import type { EngineSlot } from '../engines/engine-slot.js';
import type { ServingCore } from '../engines/serving-core.js';
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
  readonly #options: StatsReaderOptions;
  readonly #engines: EngineInterval[] = [];
  readonly #groups = new Map<number, StatsGroup>();
  #last: number;

  /** What the engines have done until now is not of any interval. */
  constructor(core: ServingCore, options: StatsReaderOptions) {
    this.#options = options;
    this.#last = options.now;
    for (const slot of core.slots()) this.add(slot);
  }

  /** Takes an engine in; what another instance has recorded on it until now is not of any interval either. */
  add(slot: EngineSlot): void {
    const engine = new EngineInterval(slot);
    engine.advance();
    this.#engines.push(engine);
    this.#groupOf(slot.index).add(engine);
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
