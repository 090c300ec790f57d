import type { CounterHandle } from '../../metric/counter.js';

/** What a counter grew by in the last interval; the first one begins at 0. */
export class CounterDelta {
  value = 0;
  readonly #counter: CounterHandle;
  #last = 0;

  constructor(counter: CounterHandle) {
    this.#counter = counter;
  }

  /** True if the counter was reset since the last interval ended. */
  get wentBack(): boolean {
    return this.#counter.value < this.#last;
  }

  /** Ends an interval, which counts from 0 if the counter was reset in it. */
  advance(wasReset: boolean): void {
    const now = this.#counter.value;
    this.value = wasReset ? now : now - this.#last;
    this.#last = now;
  }
}

/**
 * Ends an interval of counters that are divided by each other. One that went back tells that all were reset: another
 * may have passed its old value again, and hits since the reset over queries since the last tick is no rate.
 */
export function advanceTogether(deltas: readonly CounterDelta[]): void {
  const wasReset = deltas.some((delta) => delta.wentBack);
  for (const delta of deltas) delta.advance(wasReset);
}
