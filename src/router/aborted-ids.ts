/**
 * Ids of aborted requests whose engine may still send outputs: reused at once, an id would receive its predecessor's.
 * Python engines say nothing after an abort, so only so many are remembered, the oldest freed first.
 */
export const MAX_ABORTED_IDS = 65_536;

export class AbortedIds {
  readonly #ids = new Set<string>();

  has(requestId: string): boolean {
    return this.#ids.has(requestId);
  }

  add(requestId: string): void {
    this.#ids.add(requestId);
    if (this.#ids.size <= MAX_ABORTED_IDS) return;
    for (const oldest of this.#ids) {
      this.#ids.delete(oldest);
      return;
    }
  }

  /** The engine has let go of the request. */
  free(requestId: string): void {
    this.#ids.delete(requestId);
  }
}
