import type { EngineCoreOutputs } from '../../index.js';
import type { EngineState, EngineStatus } from './fleet-status.js';

/** What is known here of an engine in another process: its own stats, and what it has been sent. */
export class ConnectedEngine {
  readonly index: number;
  state: EngineState = 'running';
  /** Requests that have not ended. */
  numOpen = 0;
  /** Requests that have failed since it was last ready. */
  numFailed = 0;
  #waiting = 0;
  #kvCacheUsage = 0;

  constructor(index: number) {
    this.index = index;
  }

  /** What it reports may be of before the last requests went to it, and what it says of those it ended comes late. */
  get status(): EngineStatus {
    const waiting = Math.min(this.#waiting, this.numOpen);
    return {
      engineIndex: this.index,
      state: this.state,
      running: this.numOpen - waiting,
      waiting,
      kvCacheUsage: this.numOpen === 0 ? 0 : this.#kvCacheUsage,
    };
  }

  batch({ schedulerStats }: EngineCoreOutputs): void {
    if (!schedulerStats) return;
    const { numWaitingReqs, numSkippedWaitingReqs, kvCacheUsage } = schedulerStats;
    this.#waiting = (numWaitingReqs ?? 0) + (numSkippedWaitingReqs ?? 0);
    this.#kvCacheUsage = kvCacheUsage ?? 0;
  }

  ready(): void {
    this.state = 'running';
    this.numFailed = 0;
    this.#waiting = 0;
  }
}
