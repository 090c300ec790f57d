import type { Block } from './block.js';
import { Edits } from './edits.js';
import { PageMemory } from './page-memory.js';
import { PageParts } from './page-parts.js';
import type { Scrape } from './scrape.js';
import type { Slices } from './slices.js';

function sum(blocks: readonly Block[]): number {
  return blocks.reduce((total, { length }) => total + length, 0);
}

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
    this.blocks = await this.#parts.next(scrape, slices);
    this.#edits.clear();
    const isSame = this.blocks.length === last.length && this.blocks.every((block, i) => block === last[i]);
    if (isSame) await this.#update(slices);
    else await this.#rewrite(slices);
  }

  /** The blocks are those of the last page: what moved is overwritten where it stands, if it fits there. */
  async #update(slices: Slices): Promise<void> {
    const { memory, blocks } = this;
    let settled = true;
    for (const block of blocks) {
      if (block.refresh(memory.bytes, this.#edits)) this.text = undefined;
      settled &&= block.settled;
      if (slices.due()) await slices.next();
    }
    if (settled) return;
    memory.begin(sum(blocks));
    for (const block of blocks) {
      memory.place(block, this.#edits);
      if (slices.due()) await slices.next();
    }
    memory.commit();
  }

  async #rewrite(slices: Slices): Promise<void> {
    const { memory } = this;
    this.text = undefined;
    memory.begin(sum(this.blocks)); // about: a block's first length is an estimate
    for (const block of this.blocks) {
      block.refresh(memory.bytes, this.#edits);
      memory.place(block, this.#edits);
      if (slices.due()) await slices.next();
    }
    memory.commit();
  }
}
