import type { BucketIndex } from './bucket-index.js';
import { Handle, isRecordable } from './handle.js';
import type { HistogramHandle } from './public-handles.js';

/** A histogram's count is the sum of its buckets, so the two cannot disagree. */
export class Histogram extends Handle implements HistogramHandle {
  readonly buckets: BucketIndex;

  constructor(cells: Float64Array, buckets: BucketIndex) {
    super(cells);
    this.buckets = buckets;
  }

  observe(value: number): void {
    if (isRecordable(value)) this.add(value);
  }

  /** {@link observe} for a number that the caller has checked. */
  add(value: number): void {
    const { cells } = this;
    cells[this.buckets.find(value)]! += 1;
    cells[cells.length - 1]! += value;
  }

  get count(): number {
    let count = 0;
    for (let i = 0; i < this.cells.length - 1; i++) count += this.cells[i]!;
    return count;
  }

  get sum(): number {
    return this.cells[this.cells.length - 1]!;
  }
}
