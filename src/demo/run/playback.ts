import { setImmediate, setTimeout } from 'node:timers/promises';
import { VirtualTimeScheduler } from 'rxjs';

/** The event loop is not held longer than this at a time, in milliseconds: a scrape may be waiting. */
const MAX_HOLD_MS = 10;
/** How often a paced replay catches up with the wall clock, in milliseconds. */
const TICK_MS = 5;
/** Trace time that is run between two looks at the wall clock, in milliseconds. */
const STRIDE_MS = 250;

/** What the clock may not run ahead of. */
export interface Supply {
  /** Trace time in milliseconds. */
  readonly horizonMs: number;
  /** Moves the horizon to after `nowMs`. */
  fill(nowMs: number): Promise<void>;
}

/**
 * One virtual clock for arrivals, engines, clients and metrics, run as fast as it goes or at a speed. What happens,
 * and every figure of it, is the same at any speed: the wall clock decides only when.
 */
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

  /** Runs until {@link stop}, at `speed` trace seconds a second; `Infinity` never waits. */
  async run(speed: number, supply: Supply): Promise<void> {
    const start = performance.now();
    while (!this.#isStopped) {
      await supply.fill(this.now());
      const due = speed === Infinity ? Infinity : (performance.now() - start) * speed;
      if (this.#advance(Math.min(due, supply.horizonMs)) && this.now() >= due) await setTimeout(TICK_MS);
      else await setImmediate();
    }
  }

  /** Runs what is due, for a while; true if nothing due is left. */
  #advance(due: number): boolean {
    const { scheduler } = this;
    const until = performance.now() + MAX_HOLD_MS;
    while (!this.#isStopped && scheduler.frame < due && performance.now() < until) {
      const target = Math.min(due, scheduler.frame + STRIDE_MS);
      scheduler.maxFrames = target;
      scheduler.flush();
      // A flush leaves the clock at the last thing that happened.
      if (!this.#isStopped) scheduler.frame = target;
    }
    return scheduler.frame >= due;
  }
}
