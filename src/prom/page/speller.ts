import { byteLength, writeText } from '../text/bytes.js';
import type { LabelText } from '../text/label-texts.js';
import { formatFloat, writeFloat } from '../text/number-format.js';
import type { LineTable } from './line-table.js';
import type { SeriesLines } from './series-lines.js';

const NEWLINE = 10;

/**
 * Spells the lines of a block for the first time, straight into a page's bytes, and notes in its table where their
 * values stand. What a bucket line has in common with the line before it, and with the series before it, is copied
 * from there: as text it would leave 250 bytes a line to the garbage collector, whose pauses were a third of a
 * process's first scrape.
 */
export class Speller {
  /** Where the next line is to stand. */
  at: number;
  readonly #bytes: Uint8Array;
  readonly #start: number;
  readonly #lines: SeriesLines;
  readonly #table: LineTable;
  #line = 0;
  /** What stands after the bounds of the series before, and how many bytes it takes. */
  #afterLe: string | undefined;
  #afterLeBytes = 0;

  /** `start`: where the block begins in `bytes`, which must have room for it. */
  constructor(bytes: Uint8Array, start: number, lines: SeriesLines, table: LineTable) {
    this.#bytes = bytes;
    this.#start = start;
    this.#lines = lines;
    this.#table = table;
    this.at = start;
  }

  /** The lines of all series of a counter or gauge, a cell for each. */
  values(labels: readonly LabelText[], cells: Float64Array): void {
    const { name } = this.#lines;
    const { ends, widths } = this.#table;
    let text = '';
    let length = 0;
    let isWide = false;
    for (let i = 0; i < labels.length; i++) {
      const { all, wide } = labels[i]!;
      const spelled = formatFloat(cells[i]!);
      text += `${name}${all}${spelled}\n`;
      length += name.length + (wide ? byteLength(all) : all.length) + spelled.length;
      if (wide) isWide = true;
      ends[i] = length++;
      widths[i] = spelled.length;
    }
    this.at += writeText(this.#bytes, text, this.at, isWide);
  }

  /**
   * The lines of the next series of a histogram, whose cells begin at `first`. They are per bucket, the exposition is
   * cumulative.
   */
  histogram(labels: LabelText, cells: Float64Array, first: number): void {
    const { name, les } = this.#lines;
    const { all, wide } = labels;
    const isLike = labels.afterLe === this.#afterLe;
    const count = formatFloat(
      isLike ? this.#copyBuckets(labels, cells, first) : this.#buckets(labels, cells, first),
    );
    const sum = formatFloat(cells[first + les.length]!);
    const last = `${name}_sum${all}${sum}\n`;
    this.at += writeText(this.#bytes, `${name}_count${all}${count}\n${last}`, this.at, wide);
    const end = this.at - this.#start;
    this.#note(end - (wide ? byteLength(last) : last.length), count.length);
    this.#note(end, sum.length);
  }

  /** The next line ends before `end`. */
  #note(end: number, width: number): void {
    this.#table.ends[this.#line] = end - 1;
    this.#table.widths[this.#line++] = width;
  }

  /** The bucket lines of a first series. Returns the histogram's count. */
  #buckets({ beforeLe, afterLe, wide }: LabelText, cells: Float64Array, first: number): number {
    const { name, les } = this.#lines;
    let count = 0;
    for (let i = 0; i < les.length; i++) {
      count += cells[first + i]!;
      const spelled = formatFloat(count);
      const line = `${name}_bucket{${beforeLe}${les[i]!}${afterLe}${spelled}\n`;
      this.at += writeText(this.#bytes, line, this.at, wide);
      this.#note(this.at - this.#start, spelled.length);
    }
    this.#afterLe = afterLe;
    this.#afterLeBytes = wide ? byteLength(afterLe) : afterLe.length;
    return count;
  }

  /** The same, of a series that stands after another one. */
  #copyBuckets({ beforeLe, wide }: LabelText, cells: Float64Array, first: number): number {
    const { name, les } = this.#lines;
    const bytes = this.#bytes;
    const head = this.at;
    const headEnd = head + writeText(bytes, `${name}_bucket{${beforeLe}`, head, wide);
    let at = head;
    let count = 0;
    for (let i = 0; i < les.length; i++) {
      if (i > 0) bytes.copyWithin(at, head, headEnd);
      at += headEnd - head;
      at += this.#copyBound(at, les[i]!.length);
      count += cells[first + i]!;
      const width = writeFloat(bytes, at, count);
      at += width;
      bytes[at++] = NEWLINE;
      this.#note(at - this.#start, width);
    }
    this.at = at;
    return count;
  }

  /** Copies a bound of this width, and what stands after it, from the series before; returns how many bytes. */
  #copyBound(at: number, width: number): number {
    const line = this.#line - this.#lines.perSeries;
    const end = this.#start + this.#table.ends[line]! - this.#table.widths[line]!;
    const size = width + this.#afterLeBytes;
    this.#bytes.copyWithin(at, end - size, end);
    return size;
  }
}
