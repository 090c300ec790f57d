import type { Block } from './block.js';
import { allocate } from './bytes.js';
import type { Edits } from './edits.js';
import type { Slices } from './slices.js';

/** Room that a page may grow by before it moves to larger memory. */
const SLACK = 1.125;
const SMALLEST = 1 << 16;

/** A page's bytes, in one half of its memory; the other half is where they go when lines change their length. */
export class PageMemory {
  bytes: Uint8Array = allocate(0);
  /** Where the page begins. */
  start = 0;
  length = 0;

  /** Writes the blocks one after the other, so that the page consists of them. */
  async settle(blocks: readonly Block[], edits: Edits, slices: Slices): Promise<void> {
    const length = blocks.reduce((sum, block) => sum + block.length, 0);
    const half = this.bytes.length / 2;
    const fits = length <= half && (length > half / 4 || half === SMALLEST);
    const next = Math.max(SMALLEST, Math.ceil(length * SLACK));
    const target = fits ? this.bytes : allocate(2 * next);
    const start = fits && this.start === 0 ? half : 0;
    let at = start;
    for (const block of blocks) {
      const { length } = block;
      block.settle(this.bytes, target, at, edits);
      at += length;
      if (slices.due()) await slices.next();
    }
    this.bytes = target;
    this.start = start;
    this.length = length;
  }
}
