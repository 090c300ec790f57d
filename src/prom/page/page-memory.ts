import { allocate, moveBytes } from '../text/bytes.js';
import type { Block } from './block.js';
import type { Edits } from './line-table.js';

/** What a page may grow by before it moves to larger memory. */
const SLACK = 1.125;
const SMALLEST = 1 << 16;

/**
 * A page's bytes. The first page has memory for itself; once lines change their length there are two halves, and
 * such a page is written to the other one. (That the first memory is freed has a use besides: glibc then takes
 * strings of that size from its heap, without the page faults that are half of a scrape's time otherwise.)
 */
export class PageMemory {
  bytes: Uint8Array = allocate(0);
  /** Where the page begins. */
  start = 0;
  length = 0;
  /** Where the second half begins; 0 while there is none. */
  #half = 0;
  /** The page that is being written: its memory, beginning, end, and the end of its room. */
  #target: Uint8Array = this.bytes;
  #from = 0;
  #at = 0;
  #limit = 0;

  /** Begins the next page, of about `size` bytes. */
  begin(size: number): void {
    const half = this.#half;
    if (size <= half && half <= 4 * Math.max(size, SMALLEST)) {
      this.#target = this.bytes;
      this.#from = this.start < half ? half : 0;
      this.#limit = this.#from + half;
    } else this.#allocate(size, this.length > 0 ? 2 : 1);
    this.#at = this.#from;
  }

  #allocate(size: number, rooms: number): void {
    const room = Math.max(SMALLEST, Math.ceil(SLACK * size));
    this.#target = allocate(rooms * room);
    this.#half = rooms === 1 ? 0 : room;
    this.#from = 0;
    this.#limit = room;
  }

  /** Writes a block after the last one. */
  place(block: Block, edits: Edits): void {
    if (this.#at + block.length > this.#limit) this.#grow(block.length);
    block.settle(this.bytes, this.#target, this.#at, edits);
    this.#at += block.length;
  }

  /** The blocks placed so far keep their place, in the first half of larger memory. */
  #grow(length: number): void {
    const [target, from] = [this.#target, this.#from];
    this.#allocate(this.#at + length, 2);
    moveBytes(target, from, this.#at, this.#target, from);
    this.#from = from;
  }

  /** The blocks placed since {@link begin} are the page. */
  commit(): void {
    this.bytes = this.#target;
    this.start = this.#from;
    this.length = this.#at - this.#from;
  }
}
