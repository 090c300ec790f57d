import type { KVCacheEvictionEvent } from '../../engine-core/scheduler-stats.js';
import type { EngineConfig } from '../config/engine-config.js';
import { LinkedList } from '../linked-list.js';
import type { SeededRandom } from '../random.js';
import { CachedBlock } from './cached-block.js';

const NO_EVICTIONS: readonly KVCacheEvictionEvent[] = [];

/** What the pool knows of a request, and keeps in it. */
export interface BlockHolder {
  readonly numPromptTokens: number;
  /** Prompt and output so far. */
  readonly numTokens: number;
  readonly blockHashes: readonly (number | string)[];
  /** Blocks that only this request can use. */
  numPlainBlocks: number;
  /** Blocks that the prefix cache knows. */
  cachedBlocks: CachedBlock[];
  /** Prompt blocks that were found in, or offered to, the prefix cache. */
  numHashedBlocks: number;
}

/**
 * An engine's KV blocks. Blocks without a hash are only counted; those with one are objects that requests
 * share and that stay findable while free, until the pool runs out of other free ones.
 * @see vllm/v1/core/block_pool.py
 */
export class BlockPool {
  readonly #config: EngineConfig;
  readonly #random: SeededRandom;
  readonly #cached = new Map<number | string, CachedBlock>();
  /** Nobody holds them; least recently freed first. */
  readonly #idle = new LinkedList<CachedBlock>();
  #numPlainFree: number;
  #evictions: KVCacheEvictionEvent[] = [];

  constructor(config: EngineConfig, random: SeededRandom) {
    this.#config = config;
    this.#random = random;
    this.#numPlainFree = config.numKvBlocks;
  }

  get numFree(): number {
    return this.#numPlainFree + this.#idle.size;
  }

  get numUsed(): number {
    return this.#config.numKvBlocks - this.numFree;
  }

  /** Free blocks that the prefix cache still finds. */
  get numIdleCached(): number {
    return this.#idle.size;
  }

  /** How many of the prompt's first blocks are cached. */
  countHits(request: BlockHolder): number {
    if (!this.#config.prefixCaching) return 0;
    const limit = this.#numFullBlocks(request, request.numPromptTokens);
    let hits = 0;
    while (hits < limit && this.#cached.has(request.blockHashes[hits]!)) hits++;
    return hits;
  }

  /** Whether all of the request's tokens would find room, its first `hits` blocks being cached. */
  hasRoom(request: BlockHolder, hits: number): boolean {
    let needed = Math.ceil(request.numTokens / this.#config.blockSize) - hits;
    for (let i = 0; i < hits; i++) if (this.#cached.get(request.blockHashes[i]!)!.numHolders === 0) needed++;
    return needed <= this.numFree;
  }

  /** Gives the request its first `hits` blocks from the cache. `now` in seconds, engine clock. */
  share(request: BlockHolder, hits: number, now: number): void {
    for (let i = 0; i < hits; i++) {
      const block = this.#cached.get(request.blockHashes[i]!)!;
      if (block.numHolders++ === 0) this.#idle.remove(block);
      block.access(now);
      request.cachedBlocks.push(block);
    }
    request.numHashedBlocks = hits;
  }

  /** Grows the request's blocks to hold `numTokens`; false, with nothing changed, if too few are free. */
  allocate(request: BlockHolder, numTokens: number, now: number): boolean {
    const held = request.numPlainBlocks + request.cachedBlocks.length;
    const needed = Math.ceil(numTokens / this.#config.blockSize) - held;
    if (needed > this.numFree) return false;
    if (needed > 0) {
      this.#take(needed, now);
      request.numPlainBlocks += needed;
    }
    if (request.numHashedBlocks < request.blockHashes.length) this.#cacheFullBlocks(request, numTokens, now);
    return true;
  }

  /** Takes all blocks back; the prompt's end becomes evictable before its start. */
  release(request: BlockHolder): void {
    const blocks = request.cachedBlocks;
    for (let i = blocks.length - 1; i >= 0; i--)
      if (--blocks[i]!.numHolders === 0) this.#idle.push(blocks[i]!);
    this.#numPlainFree += request.numPlainBlocks;
    request.cachedBlocks = [];
    request.numPlainBlocks = 0;
    request.numHashedBlocks = 0;
  }

  /** The sampled lives that ended since the last call. */
  takeEvictions(): readonly KVCacheEvictionEvent[] {
    if (this.#evictions.length === 0) return NO_EVICTIONS;
    const evictions = this.#evictions;
    this.#evictions = [];
    return evictions;
  }

  #take(count: number, now: number): void {
    const plain = Math.min(count, this.#numPlainFree);
    this.#numPlainFree -= plain;
    for (let i = plain; i < count; i++) {
      const block = this.#idle.shift()!; // allocate() has counted them
      this.#cached.delete(block.hash);
      const eviction = block.evicted(now);
      if (eviction !== undefined) this.#evictions.push(eviction);
    }
  }

  /** A hash that another request is just computing stays that request's: this block remains a plain one. */
  #cacheFullBlocks(request: BlockHolder, numTokens: number, now: number): void {
    if (!this.#config.prefixCaching) return;
    const limit = this.#numFullBlocks(request, numTokens);
    for (; request.numHashedBlocks < limit; request.numHashedBlocks++) {
      const hash = request.blockHashes[request.numHashedBlocks]!;
      if (this.#cached.has(hash)) continue;
      const isSampled = this.#random.chance(this.#config.kvResidencySampleRate);
      const block = new CachedBlock(hash, isSampled ? now : Number.NaN);
      this.#cached.set(hash, block);
      request.cachedBlocks.push(block);
      request.numPlainBlocks--;
    }
  }

  #numFullBlocks(request: BlockHolder, numTokens: number): number {
    const full = Math.floor(Math.min(numTokens, request.numPromptTokens) / this.#config.blockSize);
    return Math.min(request.blockHashes.length, full);
  }
}
