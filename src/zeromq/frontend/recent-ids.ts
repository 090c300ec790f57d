/** How many are remembered; the oldest are forgotten first. */
export const MAX_RECENT_IDS = 65_536;

/**
 * Ids of requests that have ended. An engine must never see an id twice: Python queues an abort a second time, and that
 * one would hit a later request.
 * @see vllm/v1/engine/core.py `process_input_sockets`
 */
export class RecentIds {
  readonly #ids = new Set<string>();

  has(requestId: string): boolean {
    return this.#ids.has(requestId);
  }

  add(requestId: string): void {
    this.#ids.add(requestId);
    if (this.#ids.size <= MAX_RECENT_IDS) return;
    for (const oldest of this.#ids) {
      this.#ids.delete(oldest);
      return;
    }
  }
}
