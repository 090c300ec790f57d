import { byteLength, encode } from './bytes.js';
import type { LineTable } from './line-table.js';
import { formatFloat } from './number-format.js';
import type { HistogramHeads } from './series-lines.js';

const WIDE = /[^\0-\x7f]/;

/** Spells the lines of a block for the first time and notes in its table where their values stand. */
export class Speller {
  wide = false;
  readonly #table: LineTable;
  readonly #texts: string[] = [];
  #line = 0;
  /** How many bytes are spelled. */
  #end = 0;

  constructor(table: LineTable) {
    this.#table = table;
  }

  /** The line of a counter's or gauge's series. */
  value(head: string, value: number): void {
    this.#texts.push(this.#spell(head, value, WIDE.test(head)));
  }

  /** The lines of a histogram's series; its cells are per bucket, the exposition is cumulative. */
  histogram(
    { beforeLe, afterLe, count, sum }: HistogramHeads,
    les: readonly string[],
    cells: Float64Array,
  ): void {
    const wide = WIDE.test(count);
    let text = '';
    let total = 0;
    for (let i = 0; i < les.length; i++) {
      total += cells[i]!;
      text += this.#spell(beforeLe + les[i]! + afterLe, total, wide);
    }
    text += this.#spell(count, total, wide);
    this.#texts.push(text + this.#spell(sum, cells[les.length]!, wide));
  }

  #spell(head: string, value: number, wide: boolean): string {
    const spelled = formatFloat(value);
    this.#end += (wide ? byteLength(head) : head.length) + spelled.length;
    this.#table.place(this.#line++, this.#end++, spelled.length);
    if (wide) this.wide = true;
    return `${head}${spelled}\n`;
  }

  /** All that was spelled. */
  bytes(): Uint8Array {
    return encode(this.#texts.join(''), this.wide);
  }
}
