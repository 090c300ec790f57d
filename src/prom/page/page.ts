import type { Scrape } from '../scrape.js';
import type { Block } from './block.js';
import { Edits } from './edits.js';
import { PageMemory } from './page-memory.js';
import { PageParts } from './page-parts.js';
import type { Slices } from './slices.js';

function sum(blocks: readonly Block[]): number {
  return blocks.reduce((total, { length }) => total + length, 0);
}

/** Blocks that are yet to be brought up to date may grow by so much. */
const ROOM = 1.02;

/** A registry's last page. Each scrape brings it up to date; nobody else may touch it meanwhile. */
export class Page {
  readonly memory: PageMemory = new PageMemory();
  blocks: readonly Block[] = [];
  /** The whole page, once it was asked for and as long as nothing moves. */
  text: string | undefined;
  readonly #parts = new PageParts();
  readonly #edits = new Edits();

  async refresh(scrape: Scrape, slices: Slices): Promise<void> {
    const last = this.blocks;
    const blocks = await this.#parts.next(scrape, slices);
    this.blocks = blocks;
    const isSame = blocks.length === last.length && blocks.every((block, i) => block === last[i]);
    await this.#update(blocks, !isSame, slices);
  }

  /**
   * What moved is overwritten where it stands, if it fits there. From the first block on that does not, and from the
   * beginning if the blocks are `others`, the page is written anew, block by block while each is in the cache.
   */
  async #update(blocks: readonly Block[], others: boolean, slices: Slices): Promise<void> {
    const { memory } = this;
    const edits = this.#edits;
    let writing = false;
    let placed = 0;
    for (let i = 0; i < blocks.length; i++) {
      const block = blocks[i]!;
      edits.clear(); // those of the block before are placed
      if (block.refresh(memory.bytes, edits)) this.text = undefined;
      if (!writing && (others || !block.settled)) {
        writing = true;
        memory.begin(sum(blocks) * ROOM);
      }
      while (writing && placed <= i) {
        memory.place(blocks[placed++]!, edits);
        if (slices.due()) await slices.next();
      }
      if (!writing && slices.due()) await slices.next();
    }
    if (!writing) return;
    memory.commit();
    this.text = undefined;
  }
}
