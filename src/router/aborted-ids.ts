/**
 * Ids of aborted requests whose engine may still send outputs: opened again at once, an id would receive its
 * predecessor's. Held per engine, until the engine lets go of the id or 30 s have gone: Python engines say nothing
 * after an abort.
 * @see vllm/v1/core/sched/scheduler.py: `finish_requests`
 */

/** The oldest are freed first. */
export const MAX_ABORTED_IDS = 65_536;

/** Monotonic time since the abort. */
export const ABORTED_ID_HELD_MS = 30_000;

interface Hold {
  readonly untilMs: number;
  /** Arrival number of the last batch before the request was opened: that batch and older ones don't speak of it. */
  readonly openedAfter: number;
}

function keyOf(engineIndex: number | undefined, requestId: string): string {
  return `${engineIndex} ${requestId}`;
}

export class AbortedIds {
  /** In the order of the aborts, so that the oldest come first. */
  readonly #holds = new Map<string, Hold>();

  has(engineIndex: number, requestId: string): boolean {
    if (this.#holds.size === 0) return false;
    const hold = this.#holds.get(keyOf(engineIndex, requestId));
    return hold !== undefined && performance.now() < hold.untilMs;
  }

  add(engineIndex: number, requestId: string, openedAfter: number): void {
    const now = performance.now();
    const key = keyOf(engineIndex, requestId);
    this.#holds.delete(key); // a hold that has run out would keep its place in the order
    this.#holds.set(key, { untilMs: now + ABORTED_ID_HELD_MS, openedAfter });
    for (const [oldest, { untilMs }] of this.#holds) {
      if (this.#holds.size <= MAX_ABORTED_IDS && now < untilMs) return;
      this.#holds.delete(oldest);
    }
  }

  /** The engine has let go of the request, says the batch with this arrival number. */
  free(engineIndex: number | undefined, requestId: unknown, arrival: number): void {
    if (this.#holds.size === 0 || typeof requestId !== 'string') return;
    const key = keyOf(engineIndex, requestId);
    const hold = this.#holds.get(key);
    if (hold !== undefined && hold.openedAfter < arrival) this.#holds.delete(key);
  }

  /** The engine is gone, and what it would still have sent with it. */
  freeEngine(engineIndex: number): void {
    const prefix = keyOf(engineIndex, '');
    for (const key of this.#holds.keys()) if (key.startsWith(prefix)) this.#holds.delete(key);
  }
}
