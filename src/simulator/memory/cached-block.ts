import type { KVCacheEvictionEvent } from '../../engine-core/scheduler-stats.js';
import type { Linked, LinkedList } from '../linked-list.js';

/** vLLM keeps the last four accesses of a sampled block, hence at most three gaps. */
const NUM_ACCESSES = 4;

/** A full KV block that the prefix cache can find by its hash. */
export class CachedBlock implements Linked<CachedBlock> {
  readonly hash: number | string;
  /** Requests that hold it; at 0 it is free, yet found until it is evicted. */
  numHolders = 1;
  list: LinkedList<CachedBlock> | undefined = undefined;
  previous: CachedBlock | undefined = undefined;
  next: CachedBlock | undefined = undefined;
  /** Seconds, engine clock; NaN unless its life is sampled. */
  readonly #born: number;
  readonly #accesses: number[] = [];

  constructor(hash: number | string, born: number) {
    this.hash = hash;
    this.#born = born;
  }

  /** Another request found it. */
  access(now: number): void {
    if (Number.isNaN(this.#born)) return;
    if (this.#accesses.length === NUM_ACCESSES) this.#accesses.shift();
    this.#accesses.push(now);
  }

  /** Its life in seconds, if it is a sampled one. */
  evicted(now: number): KVCacheEvictionEvent | undefined {
    if (Number.isNaN(this.#born)) return undefined;
    const last = this.#accesses.at(-1) ?? this.#born;
    const reuseGapsSeconds = this.#accesses.slice(1).map((time, index) => time - this.#accesses[index]!);
    return { lifetimeSeconds: now - this.#born, idleSeconds: now - last, reuseGapsSeconds };
  }
}
