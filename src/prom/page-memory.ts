import type { Block } from './block.js';
import { allocate, moveBytes } from './bytes.js';
import type { Edits } from './edits.js';

/** What a page may grow by before it moves to larger memory. */
const SLACK = 1.125;
const SMALLEST = 1 << 16;

/** A page's bytes, in memory with room for two pages: a page whose lines change their length goes to the other room. */
export class PageMemory {
  bytes: Uint8Array = allocate(0);
  /** Where the page begins. */
  start = 0;
  length = 0;
  /** The page that is being written: its memory, beginning, end, and the end of its room. */
  #target: Uint8Array = this.bytes;
  #from = 0;
  #at = 0;
  #limit = 0;

  /** Begins the next page, of about `size` bytes. */
  begin(size: number): void {
    const { bytes, start, length } = this;
    const tooLarge = bytes.length > 8 * Math.max(size, SMALLEST);
    this.#target = bytes;
    if (start >= size && !tooLarge) [this.#from, this.#limit] = [0, start];
    else if (bytes.length - start - length >= size && !tooLarge) {
      [this.#from, this.#limit] = [start + length, bytes.length];
    } else {
      this.#target = allocate(Math.max(SMALLEST, Math.ceil(2 * SLACK * size)));
      [this.#from, this.#limit] = [0, this.#target.length];
    }
    this.#at = this.#from;
  }

  /** Writes a block behind the last one. */
  place(block: Block, edits: Edits): void {
    const { length } = block;
    if (this.#at + length > this.#limit) this.#grow(length);
    block.settle(this.bytes, this.#target, this.#at, edits);
    this.#at += length;
  }

  /** The blocks placed so far keep their place, in larger memory. */
  #grow(length: number): void {
    const target = allocate(Math.ceil(2 * SLACK * (this.#at + length)));
    moveBytes(this.#target, this.#from, this.#at, target, this.#from);
    this.#target = target;
    this.#limit = target.length;
  }

  /** The blocks placed since {@link begin} are the page. */
  commit(): void {
    this.bytes = this.#target;
    this.start = this.#from;
    this.length = this.#at - this.#from;
  }
}
