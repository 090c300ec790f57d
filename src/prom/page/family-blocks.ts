import type { Series } from '../../metric/series.js';
import type { RegisteredFamily } from '../registered-family.js';
import { headerOf } from '../text/header.js';
import type { LabelTexts } from '../text/label-texts.js';
import type { Block } from './block.js';
import { SeriesBlock } from './series-block.js';
import { SeriesLines } from './series-lines.js';
import { TextBlock } from './text-block.js';

/** A block of so many bytes is full: some 1,000 lines, 0.1 ms of work, 1 ms while the code is cold. */
const FULL_BYTES = 1 << 17;

/** One of our families on a page: its header and its series in blocks. */
export class FamilyBlocks {
  readonly #header = new TextBlock();
  #headerFor: boolean | undefined;
  readonly #lines: SeriesLines;
  readonly #entry: RegisteredFamily;
  #version = -1;
  #blocks: readonly SeriesBlock[] = [];

  constructor(entry: RegisteredFamily, texts: LabelTexts) {
    this.#entry = entry;
    this.#lines = new SeriesLines(entry.family, texts);
  }

  /** The header, and the blocks of the series that are to be seen now; those of series that stayed are kept. */
  blocks(openMetrics: boolean): Block[] {
    const { family } = this.#entry;
    if (openMetrics !== this.#headerFor) this.#header.set(headerOf(family.descriptor, openMetrics));
    this.#headerFor = openMetrics;
    if (family.version !== this.#version) {
      this.#version = family.version;
      this.#blocks = this.#regroup(Array.from(family.visible()));
    }
    return [this.#header, ...this.#blocks];
  }

  #regroup(series: readonly Series[]): SeriesBlock[] {
    const known = new Map(this.#blocks.map((block) => [block.series[0], block]));
    const blocks: SeriesBlock[] = [];
    let loose = 0; // the first series that has no block yet
    for (let i = 0; i < series.length; ) {
      const block = known.get(series[i]!);
      if (block === undefined || !isKept(block, series, i)) {
        i++;
        continue;
      }
      blocks.push(...this.#group(series.slice(loose, i)), block);
      i += block.series.length;
      loose = i;
    }
    blocks.push(...this.#group(series.slice(loose)));
    return blocks;
  }

  /** Makes blocks of as many series as would fill one if all were as large as its first. */
  #group(series: readonly Series[]): SeriesBlock[] {
    const blocks: SeriesBlock[] = [];
    for (let i = 0; i < series.length; ) {
      const most = this.#lines.mostBytes(this.#lines.labelsOf(series[i]!));
      const count = Math.max(1, Math.floor(FULL_BYTES / most));
      blocks.push(new SeriesBlock(series.slice(i, i + count), this.#lines));
      i += count;
    }
    return blocks;
  }
}

/** Whether a block's series stand as they are at `from`. A block that is not half full joins its neighbours. */
function isKept(block: SeriesBlock, series: readonly Series[], from: number): boolean {
  return block.length >= FULL_BYTES / 2 && block.series.every((each, i) => each === series[from + i]);
}
