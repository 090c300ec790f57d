import type { CachedBlock } from './cached-block.js';

/** Cached blocks that nobody holds, least recently freed first. A linked list through the blocks. */
export class IdleBlocks {
  size = 0;
  #oldest: CachedBlock | undefined = undefined;
  #newest: CachedBlock | undefined = undefined;

  add(block: CachedBlock): void {
    block.previous = this.#newest;
    block.next = undefined;
    if (this.#newest === undefined) this.#oldest = block;
    else this.#newest.next = block;
    this.#newest = block;
    this.size++;
  }

  remove(block: CachedBlock): void {
    const { previous, next } = block;
    if (previous === undefined) this.#oldest = next;
    else previous.next = next;
    if (next === undefined) this.#newest = previous;
    else next.previous = previous;
    block.previous = undefined;
    block.next = undefined;
    this.size--;
  }

  takeOldest(): CachedBlock | undefined {
    const block = this.#oldest;
    if (block !== undefined) this.remove(block);
    return block;
  }
}
