import type { DefaultLabels } from '../default-labels.js';
import type { RegisteredFamily } from '../registered-family.js';
import type { Answered, Scrape } from '../scrape.js';
import { textsOf } from '../text/answer-lines.js';
import { LabelTexts } from '../text/label-texts.js';
import type { Block } from './block.js';
import { FamilyBlocks } from './family-blocks.js';
import type { Slices } from './slices.js';
import { TextBlock } from './text-block.js';

function sameLabels(left: DefaultLabels, right: DefaultLabels): boolean {
  const names = Object.keys(left);
  return names.length === Object.keys(right).length && names.every((name) => left[name] === right[name]);
}

/** The blocks of a page, kept from scrape to scrape. */
export class PageParts {
  #families = new Map<RegisteredFamily, FamilyBlocks>();
  #texts = new Map<string, readonly TextBlock[]>();
  /** The registry's default labels that the families' lines have. */
  #defaults: DefaultLabels = {};
  /** By the names of the families' labels. */
  #labelTexts = new Map<string, LabelTexts>();
  readonly #end = new TextBlock();

  /** The blocks of the page in order; what is on it no more is forgotten. */
  async next(scrape: Scrape, slices: Slices): Promise<Block[]> {
    const families = new Map<RegisteredFamily, FamilyBlocks>();
    const texts = new Map<string, readonly TextBlock[]>();
    const blocks: Block[] = [];
    if (!sameLabels(scrape.defaults, this.#defaults)) this.#forget(scrape.defaults);
    for (const part of scrape.parts) {
      if ('answer' in part) {
        const found = await this.#foreign(part, scrape, slices);
        if (found.length > 0) texts.set(part.answer.name, found);
        blocks.push(...found);
      } else {
        const family = this.#families.get(part) ?? new FamilyBlocks(part, this.#textsFor(part));
        families.set(part, family);
        blocks.push(...family.blocks(scrape.openMetrics));
      }
      if (slices.due()) await slices.next();
    }
    this.#families = families;
    this.#texts = texts;
    this.#end.set(scrape.openMetrics ? '# EOF\n' : '');
    return [...blocks, this.#end];
  }

  #forget(defaults: DefaultLabels): void {
    this.#defaults = defaults;
    this.#labelTexts.clear();
    this.#families.clear();
  }

  #textsFor({ family }: RegisteredFamily): LabelTexts {
    const { labelNames } = family.descriptor;
    const key = labelNames.join();
    const texts = this.#labelTexts.get(key) ?? new LabelTexts(labelNames, this.#defaults);
    this.#labelTexts.set(key, texts);
    return texts;
  }

  /** None if the metric's answer cannot be read: it is broken, the page goes on without it. */
  async #foreign(
    { answer, asVllm }: Answered,
    scrape: Scrape,
    slices: Slices,
  ): Promise<readonly TextBlock[]> {
    const texts: string[] = [];
    try {
      for (const text of textsOf(answer, { ...scrape, asVllm })) {
        texts.push(text);
        if (slices.due()) await slices.next();
      }
    } catch {
      return [];
    }
    const known = this.#texts.get(answer.name) ?? [];
    this.#texts.delete(answer.name); // two metrics may answer with one name
    return texts.map((text, i) => {
      const block = known[i] ?? new TextBlock();
      block.set(text);
      return block;
    });
  }
}
