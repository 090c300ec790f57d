import { setImmediate } from 'node:timers/promises';

/** How long a backlog may be drained before timers, scrapes and sockets of others get their turn. */
const SLICE_MS = 4;

/**
 * Divides the work of all receiving loops of a client into slices of the event loop: a socket that always has a
 * message at hand would otherwise be read by microtasks alone, and nothing else in the process would run.
 */
export class EventLoopSlices {
  #began = 0;

  get isSpent(): boolean {
    return performance.now() - this.#began > SLICE_MS;
  }

  /** Resolves after everything else that was due. */
  async next(): Promise<void> {
    await setImmediate();
    this.#began = performance.now();
  }
}
