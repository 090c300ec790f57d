import { setImmediate } from 'node:timers/promises';
import { VirtualTimeScheduler } from 'rxjs';

/** The event loop is not held longer than this at a time, in milliseconds: a Ctrl-C may be waiting. */
const MAX_HOLD_MS = 10;
/** Trace time that is run between two looks at the wall clock, in milliseconds. */
const STRIDE_MS = 250;

/** What the clock may not run ahead of. */
export interface Supply {
  /** Trace time in milliseconds. */
  readonly horizonMs: number;
  /** Moves the horizon to after `nowMs`. */
  fill(nowMs: number): Promise<void>;
}

/** One virtual clock for arrivals, engines, clients and metrics, run as fast as it goes. */
export class Playback {
  readonly scheduler: VirtualTimeScheduler = new VirtualTimeScheduler();
  #isStopped = false;

  /** Trace time since the start, in milliseconds. */
  now(): number {
    return this.scheduler.now();
  }

  /** Ends {@link run} before anything else happens. */
  stop(): void {
    this.#isStopped = true;
  }

  /** Runs until {@link stop}. */
  async run(supply: Supply): Promise<void> {
    while (!this.#isStopped) {
      await supply.fill(this.now());
      this.#advance(supply.horizonMs);
      await setImmediate();
    }
  }

  /** Runs what is due, for a while. */
  #advance(due: number): void {
    const { scheduler } = this;
    const until = performance.now() + MAX_HOLD_MS;
    while (!this.#isStopped && scheduler.frame < due && performance.now() < until) {
      const target = Math.min(due, scheduler.frame + STRIDE_MS);
      scheduler.maxFrames = target;
      scheduler.flush();
      // A flush leaves the clock at the last thing that happened.
      if (!this.#isStopped) scheduler.frame = target;
    }
  }
}
