import type { EngineInterval } from './stats-engine.js';
import { formatStatsLog } from './stats-format.js';
import type { StatsLogEntry } from './stats-log-entry.js';
import { StatsWindow } from './stats-window.js';

/** The engines that share one entry of the stats log, and what the log remembers of them from tick to tick. */
export class StatsGroup {
  readonly #engines: EngineInterval[] = [];
  #window = new StatsWindow();
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
      this.#window = new StatsWindow();
      this.#wasBusy = false;
      return undefined;
    }
    const stats = this.#window.read(present, seconds);
    const busy = stats.promptThroughput !== 0 || stats.generationThroughput !== 0;
    const level = busy || this.#wasBusy ? 'info' : 'debug';
    this.#wasBusy = busy;
    const lines = formatStatsLog(stats);
    // `formatStatsLog` always makes the main line.
    return { level, line: lines[0]!, lines, stats };
  }
}
