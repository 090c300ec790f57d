import type { Block } from './block.js';
import { Edits } from './edits.js';
import { PageMemory } from './page-memory.js';
import { PageParts } from './page-parts.js';
import type { Scrape } from './scrape.js';
import type { Slices } from './slices.js';

/** A registry's last page. Each scrape brings it up to date; nobody else may touch it meanwhile. */
export class Page {
  readonly memory: PageMemory = new PageMemory();
  blocks: readonly Block[] = [];
  /** The whole page, once it was asked for and as long as nothing moves. */
  text: string | undefined;
  readonly #parts = new PageParts();
  readonly #edits = new Edits();

  async refresh(scrape: Scrape, slices: Slices): Promise<void> {
    const blocks = await this.#parts.next(scrape, slices);
    const last = this.blocks;
    let settled = blocks.length === last.length;
    this.#edits.clear();
    for (let i = 0; i < blocks.length; i++) {
      const block = blocks[i]!;
      if (block.refresh(this.memory.bytes, this.#edits)) this.text = undefined;
      settled &&= block.settled && block === last[i];
      if (slices.due()) await slices.next();
    }
    if (settled) return;
    this.text = undefined;
    await this.memory.settle(blocks, this.#edits, slices);
    this.blocks = blocks;
  }
}
