import type { CellRange } from './cell-slabs.js';
import type { Stamp } from './stamp.js';

/** One label set of a family and the cells that hold its values. */
export class Series {
  /** Label names to values, in the descriptor's order; frozen, one object for the series' life. */
  readonly labels: Readonly<Record<string, string>>;
  /** A counter's or gauge's value; a histogram's counts per bucket (not cumulative, +Inf last), then its sum. */
  readonly cells: Float64Array;
  /** Where the cells stand, for a hot path that would rather not load one more object. */
  readonly range: CellRange;
  /** True while the series is kept but not on the page: an engine that was removed. */
  hidden = false;
  /** How many models hold it; the one that releases the last hold removes it. */
  owners = 0;
  /** Those of its owners that have no use for it now, where it has several; made at the first. */
  idleOwners: Set<object> | undefined;
  /** For a gauge that several processes show and only the one that was told last shows right. */
  stamp: Stamp | undefined;

  constructor(labels: Readonly<Record<string, string>>, range: CellRange, size: number) {
    this.labels = Object.freeze(labels);
    this.range = range;
    this.cells = range.slab.subarray(range.at, range.at + size);
  }

  /** A counter's or gauge's value. */
  get value(): number {
    return this.cells[0]!;
  }

  put(value: number): void {
    this.cells[0] = value;
  }

  /** All cells to 0. */
  reset(): void {
    this.cells.fill(0);
  }
}
