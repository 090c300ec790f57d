/**
 * The page that is kept between scrapes. A scrape of 31,900 series in which nothing moved costs a comparison of their
 * cells, one in which all moved a few milliseconds: what stands is written over, not written again.
 *
 * - A **block** (block.ts) is some whole lines that stand together: a header or other people's lines as text
 *   (text-block.ts), or up to 128 kB of one family's series (series-block.ts). page-parts.ts says which blocks make
 *   the page, family-blocks.ts which of a family's stay as they are when series come and go.
 * - `refresh` compares a block's cells with those last written. A value as wide as the one before is written over it
 *   at once; any other becomes an **edit** (line-table.ts), and the block is no longer settled.
 * - As soon as one block is not settled, the whole page goes to other memory (page-memory.ts): **place** finds room for
 *   a block, **settle** copies it there with its edits applied, or spells it for the first time (speller.ts).
 * - **commit** makes what was placed the page. A scrape that fails before takes the page with it: the next starts afresh.
 *
 * All of it runs in slices (slices.ts) with the event loop in between; scrape-queue.ts lets one scrape at a time use
 * the page; page-text.ts hands it out as a string or in chunks; render.ts is the door.
 */
import type { Scrape } from '../scrape.js';
import type { Block } from './block.js';
import { Edits } from './line-table.js';
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
