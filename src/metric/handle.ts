/**
 * The largest number a handle takes. Beyond it lies no figure of an engine, only a broken one, and the sum of any
 * number of recordable values stays finite: nothing infinite can reach the page by addition.
 */
export const LARGEST = 1e200;

/** True for what a counter may grow by and a histogram may observe: a number from 0 to {@link LARGEST}. */
export function isRecordable(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 1e200; // LARGEST: an exported binding is loaded at each call
}

/**
 * A resolved series: it knows its cells and no label, allocates nothing and never throws. Numbers that are not
 * recordable are dropped.
 */
export abstract class Handle {
  /** The series' own cells; other cells of the same size once detached. */
  cells: Float64Array;

  constructor(cells: Float64Array) {
    this.cells = cells;
  }

  /** From now on recordings go nowhere. A swap of cells, so that a live handle has no flag to test. */
  detach(): void {
    this.cells = new Float64Array(this.cells.length);
  }
}
