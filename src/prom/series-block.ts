import type { Series } from '../metric/series.js';
import type { Block } from './block.js';
import { encode } from './bytes.js';
import type { Edits } from './edits.js';
import { LineTable } from './line-table.js';
import type { SeriesLines } from './series-lines.js';

const WIDE = /[^\0-\x7f]/;

/** The lines of some series of one family. */
export class SeriesBlock implements Block {
  readonly series: readonly Series[];
  at = -1;
  length = 0;
  wide = false;
  settled = false;
  readonly #lines: SeriesLines;
  readonly #cells: readonly Float64Array[];
  readonly #buckets: number;
  readonly #perSeries: number;
  readonly #table: LineTable;
  /** The first spelling, until it is on the page. */
  #pending: Uint8Array | undefined;

  constructor(series: readonly Series[], lines: SeriesLines) {
    const { les, perSeries } = lines;
    this.series = series;
    this.#lines = lines;
    this.#cells = series.map(({ cells }) => cells);
    this.#buckets = les.length;
    this.#perSeries = perSeries;
    this.#table = new LineTable(series.length * perSeries);
  }

  /** How many lines it has. */
  get size(): number {
    return this.#table.values.length;
  }

  /** Spells all lines for the first time, with their present values. */
  #spell(): void {
    const texts: string[] = [];
    for (let i = 0; i < this.series.length; i++) {
      const heads = this.#lines.headsOf(this.series[i]!);
      const wide = WIDE.test(heads[0]!);
      const first = i * this.#perSeries;
      this.#read(first, this.#cells[i]!);
      const text = this.#table.spell(first, heads, this.length, wide);
      this.length = this.#table.endOf(first + heads.length - 1) + 1;
      this.wide ||= wide;
      texts.push(text);
    }
    this.#pending = encode(texts.join(''));
  }

  #read(first: number, cells: Float64Array): void {
    const { values } = this.#table;
    const buckets = this.#buckets;
    if (buckets === 0) {
      values[first] = cells[0]!;
      return;
    }
    let count = 0;
    for (let i = 0; i < buckets; i++) {
      count += cells[i]!; // the cells are per bucket, the exposition is cumulative
      values[first + i] = count;
    }
    values[first + buckets] = count;
    values[first + buckets + 1] = cells[buckets]!;
  }

  /** Notes what moved since the last scrape and returns whether anything did. */
  refresh(page: Uint8Array, edits: Edits): boolean {
    if (this.at < 0) {
      this.#spell();
      return true;
    }
    const table = this.#table;
    table.firstEdit = edits.count;
    table.growth = 0;
    const moved =
      this.#buckets === 0 ? this.#refreshValues(page, edits) : this.#refreshHistograms(page, edits);
    table.lastEdit = edits.count;
    this.length += table.growth;
    this.settled = table.lastEdit === table.firstEdit;
    return moved;
  }

  #refreshValues(page: Uint8Array, edits: Edits): boolean {
    const table = this.#table;
    const { values } = table;
    const cells = this.#cells;
    let moved = false;
    for (let i = 0; i < cells.length; i++) {
      const value = cells[i]![0]!;
      if (Object.is(value, values[i])) continue; // -0 is spelled differently from 0
      table.move(i, value, page, this.at, edits);
      moved = true;
    }
    return moved;
  }

  #refreshHistograms(page: Uint8Array, edits: Edits): boolean {
    const table = this.#table;
    const { values } = table;
    const buckets = this.#buckets;
    let moved = false;
    let line = 0;
    for (const cells of this.#cells) {
      let count = 0;
      for (let i = 0; i < buckets; i++, line++) {
        count += cells[i]!;
        if (count === values[line]) continue;
        table.move(line, count, page, this.at, edits);
        moved = true;
      }
      if (count !== values[line]) table.move(line, count, page, this.at, edits);
      line++;
      const sum = cells[buckets]!;
      if (sum !== values[line]) {
        table.move(line, sum, page, this.at, edits);
        moved = true;
      }
      line++;
    }
    return moved;
  }

  settle(page: Uint8Array, target: Uint8Array, at: number, edits: Edits): void {
    if (this.#pending === undefined) this.#table.settle(page, this.at, target, at, edits);
    else target.set(this.#pending, at);
    this.#pending = undefined;
    this.at = at;
    this.settled = true;
  }
}
