import type { Series } from '../metric/series.js';
import type { Block } from './block.js';
import { writeText } from './bytes.js';
import type { Edits } from './edits.js';
import { LineTable } from './line-table.js';
import type { SeriesLines } from './series-lines.js';
import { Speller } from './speller.js';

/** The lines of some series of one family. */
export class SeriesBlock implements Block {
  readonly series: readonly Series[];
  at = -1;
  /** Until its lines are spelled, an estimate. */
  length: number;
  wide = false;
  settled = false;
  readonly #lines: SeriesLines;
  readonly #cells: readonly Float64Array[];
  /** The cells as last written, series by series. */
  readonly #last: Float64Array;
  readonly #table: LineTable;
  /** The first spelling, until it is on the page. */
  #text: string | undefined;

  constructor(series: readonly Series[], lines: SeriesLines) {
    this.series = series;
    this.#lines = lines;
    this.#cells = series.map(({ cells }) => cells);
    this.#last = new Float64Array(series.length * this.#cells[0]!.length);
    this.#table = new LineTable(series.length * lines.perSeries);
    this.length = lines.sizeOf(series[0]!) * series.length;
  }

  /** Spells all lines for the first time, with their present values. */
  #spell(): void {
    const { les } = this.#lines;
    const speller = new Speller(this.#lines.name, this.#table);
    for (let i = 0; i < this.series.length; i++) {
      const cells = this.#cells[i]!;
      this.#last.set(cells, i * cells.length);
      const labels = this.#lines.labelsOf(this.series[i]!);
      if (les.length === 0) speller.value(labels, cells[0]!);
      else speller.histogram(labels, les, cells);
    }
    this.#text = speller.text();
    this.length = speller.length;
    this.wide = speller.wide;
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
      this.#lines.les.length === 0 ? this.#refreshValues(page, edits) : this.#refreshHistograms(page, edits);
    table.lastEdit = edits.count;
    this.length += table.growth;
    this.settled = table.lastEdit === table.firstEdit;
    return moved;
  }

  #refreshValues(page: Uint8Array, edits: Edits): boolean {
    const cells = this.#cells;
    const last = this.#last;
    let moved = false;
    for (let i = 0; i < cells.length; i++) {
      const value = cells[i]![0]!;
      if (Object.is(value, last[i])) continue; // -0 is spelled differently from 0
      last[i] = value;
      this.#table.move(i, value, page, this.at, edits);
      moved = true;
    }
    return moved;
  }

  #refreshHistograms(page: Uint8Array, edits: Edits): boolean {
    const all = this.#cells;
    const last = this.#last;
    const size = all[0]!.length;
    let moved = false;
    for (let series = 0, first = 0; series < all.length; series++, first += size) {
      const cells = all[series]!;
      let i = 0;
      while (i < size && cells[i] === last[first + i]) i++;
      if (i === size) continue;
      this.#moveHistogram(series, cells, page, edits);
      moved = true;
    }
    return moved;
  }

  #moveHistogram(series: number, cells: Float64Array, page: Uint8Array, edits: Edits): void {
    const table = this.#table;
    const last = this.#last;
    const buckets = cells.length - 1;
    let at = series * cells.length;
    let line = series * this.#lines.perSeries;
    let count = 0;
    let lastCount = 0;
    for (let i = 0; i < buckets; i++, at++, line++) {
      const cell = cells[i]!;
      lastCount += last[at]!;
      count += cell;
      last[at] = cell;
      if (count !== lastCount) table.move(line, count, page, this.at, edits);
    }
    if (count !== lastCount) table.move(line, count, page, this.at, edits);
    const sum = cells[buckets]!;
    if (sum !== last[at]) table.move(line + 1, sum, page, this.at, edits);
    last[at] = sum;
  }

  settle(page: Uint8Array, target: Uint8Array, at: number, edits: Edits): void {
    if (this.#text === undefined) this.#table.settle(page, this.at, target, at, edits);
    else writeText(target, this.#text, at, this.wide);
    this.#text = undefined;
    this.at = at;
    this.settled = true;
  }
}
