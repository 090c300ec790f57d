/** The frontend's processor cache: the latest `size` items, least recently used first to leave. */
export class MultiModalCache {
  readonly #size: number;
  /** A Set keeps the order of insertion; a hit is inserted anew. */
  readonly #hashes = new Set<number | string>();

  constructor(size: number) {
    this.#size = size;
  }

  /** Looks up and caches each item; returns the number of hits. */
  query(hashes: readonly (number | string)[]): number {
    let hits = 0;
    for (const hash of hashes) {
      if (this.#hashes.delete(hash)) hits++;
      this.#hashes.add(hash);
      if (this.#hashes.size > this.#size) this.#dropOldest();
    }
    return hits;
  }

  #dropOldest(): void {
    for (const oldest of this.#hashes) {
      this.#hashes.delete(oldest);
      return;
    }
  }
}
