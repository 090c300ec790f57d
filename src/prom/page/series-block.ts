import type { Series } from '../../metric/series.js';
import type { LabelText } from '../text/label-texts.js';
import type { Block } from './block.js';
import type { Edits } from './line-table.js';
import { LineTable } from './line-table.js';
import { type CellRun, runsOf, type SeriesLines } from './series-lines.js';
import { Speller } from './speller.js';

/** The lines of some series of one family. */
export class SeriesBlock implements Block {
  readonly series: readonly Series[];
  at = -1;
  /** An estimate until the first refresh; then, until its lines are spelled, the most that they can take. */
  length: number;
  wide = false;
  settled = false;
  readonly #lines: SeriesLines;
  readonly #runs: readonly CellRun[];
  /** The cells as last written, series by series. */
  readonly #last: Float64Array;
  readonly #table: LineTable;
  /** From the first refresh until the lines are spelled. */
  #labels: readonly LabelText[] = [];

  constructor(series: readonly Series[], lines: SeriesLines) {
    this.series = series;
    this.#lines = lines;
    this.#runs = runsOf(series);
    const count = series.length * lines.perSeries;
    const values = series.length * series[0]!.cells.length;
    // One piece of memory: three take twice as long to make, and the collector looks after each.
    const memory = new ArrayBuffer(8 * values + LineTable.BYTES * count);
    this.#last = new Float64Array(memory, 0, values);
    this.#table = new LineTable(memory, 8 * values, count);
    this.length = lines.mostBytes(lines.labelsOf(series[0]!)) * series.length;
  }

  /** Makes ready for the first spelling. */
  #prepare(): void {
    const lines = this.#lines;
    this.length = 0;
    this.#labels = this.series.map((series) => {
      const labels = lines.labelsOf(series);
      this.length += lines.mostBytes(labels);
      if (labels.wide) this.wide = true;
      return labels;
    });
  }

  /** Spells all lines for the first time, with their present values. */
  #spell(target: Uint8Array, at: number): void {
    const speller = new Speller(target, at, this.#lines, this.#table);
    const last = this.#last;
    const labels = this.#labels;
    for (const { slab, at, from, length } of this.#runs) last.set(slab.subarray(at, at + length), from);
    if (this.#lines.les.length === 0) speller.values(labels, last);
    else
      for (let i = 0, size = last.length / labels.length; i < labels.length; i++)
        speller.histogram(labels[i]!, last, i * size);
    this.#labels = [];
    this.length = speller.at - at;
  }

  /** Notes what moved since the last scrape and returns whether anything did. */
  refresh(page: Uint8Array, edits: Edits): boolean {
    if (this.at < 0) {
      this.#prepare();
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
    const last = this.#last;
    let moved = false;
    for (const { slab, at, from, length } of this.#runs) {
      for (let i = 0; i < length; i++) {
        const value = slab[at + i]!;
        if (Object.is(value, last[from + i])) continue; // -0 is spelled differently from 0
        last[from + i] = value;
        this.#table.move(from + i, value, page, this.at, edits);
        moved = true;
      }
    }
    return moved;
  }

  #refreshHistograms(page: Uint8Array, edits: Edits): boolean {
    const last = this.#last;
    const size = this.#lines.les.length + 1;
    let moved = false;
    for (const { slab, at, from, length } of this.#runs) {
      for (let i = 0; i < length; i++) {
        if (slab[at + i] === last[from + i]) continue;
        const series = Math.floor(i / size);
        this.#moveHistogram(slab, at + series * size, from + series * size, page, edits);
        i = (series + 1) * size - 1;
        moved = true;
      }
    }
    return moved;
  }

  /** `first`: the histogram's first cell in its slab, `own`: in {@link #last}. */
  #moveHistogram(slab: Float64Array, first: number, own: number, page: Uint8Array, edits: Edits): void {
    const table = this.#table;
    const last = this.#last;
    const buckets = this.#lines.les.length;
    let line = (own / (buckets + 1)) * this.#lines.perSeries;
    let count = 0;
    let lastCount = 0;
    for (let i = 0; i < buckets; i++, line++) {
      const cell = slab[first + i]!;
      lastCount += last[own + i]!;
      count += cell;
      last[own + i] = cell;
      if (count !== lastCount) table.move(line, count, page, this.at, edits);
    }
    if (count !== lastCount) table.move(line, count, page, this.at, edits);
    const sum = slab[first + buckets]!;
    if (sum !== last[own + buckets]) table.move(line + 1, sum, page, this.at, edits);
    last[own + buckets] = sum;
  }

  settle(page: Uint8Array, target: Uint8Array, at: number, edits: Edits): void {
    if (this.at < 0) this.#spell(target, at);
    else this.#table.settle(page, this.at, target, at, edits);
    this.at = at;
    this.settled = true;
  }
}
