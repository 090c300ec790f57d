import { byteLength } from './bytes.js';
import type { LabelText } from './label-texts.js';
import type { LineTable } from './line-table.js';
import { formatFloat } from './number-format.js';

/** Spells the lines of a block for the first time and notes in its table where their values stand. */
export class Speller {
  /** True once a character took more than one byte. */
  wide = false;
  /** How many bytes are spelled. */
  length = 0;
  readonly #name: string;
  readonly #table: LineTable;
  readonly #texts: string[] = [];
  #line = 0;

  constructor(name: string, table: LineTable) {
    this.#name = name;
    this.#table = table;
  }

  /** The line of a counter's or gauge's series. */
  value({ all, wide }: LabelText, value: number): void {
    this.#texts.push(this.#spell(this.#name + all, value, wide));
  }

  /** The lines of a histogram's series; its cells are per bucket, the exposition is cumulative. */
  histogram(labels: LabelText, les: readonly string[], cells: Float64Array): void {
    const { all, afterLe, wide } = labels;
    const beforeLe = `${this.#name}_bucket{${labels.beforeLe}`;
    const around = wide ? byteLength(beforeLe + afterLe) : beforeLe.length + afterLe.length;
    // Locals and no calls: while the code is cold, as for a first page, the loop takes half the time so.
    const { ends, widths } = this.#table;
    let { length } = this;
    let line = this.#line;
    let text = '';
    let count = 0;
    for (let i = 0; i < les.length; i++) {
      const le = les[i]!;
      count += cells[i]!;
      const spelled = formatFloat(count);
      text += `${beforeLe}${le}${afterLe}${spelled}\n`;
      length += around + le.length + spelled.length;
      ends[line] = length++;
      widths[line++] = spelled.length;
    }
    this.length = length;
    this.#line = line;
    text += this.#spell(`${this.#name}_count${all}`, count, wide);
    this.#texts.push(text + this.#spell(`${this.#name}_sum${all}`, cells[les.length]!, wide));
  }

  #spell(head: string, value: number, wide: boolean): string {
    const spelled = formatFloat(value);
    this.length += (wide ? byteLength(head) : head.length) + spelled.length;
    this.#table.ends[this.#line] = this.length++;
    this.#table.widths[this.#line++] = spelled.length;
    if (wide) this.wide = true;
    return `${head}${spelled}\n`;
  }

  /** All that was spelled. */
  text(): string {
    return this.#texts.join('');
  }
}
