import type { BucketIndex } from './bucket-index.js';
import { Handle, LARGEST } from './handle.js';

/** A histogram series; its count is the sum of its buckets, so the two cannot disagree. */
export class HistogramHandle extends Handle {
  /** @internal */
  readonly buckets: BucketIndex;

  /** @internal */
  constructor(cells: Float64Array, buckets: BucketIndex) {
    super(cells);
    this.buckets = buckets;
  }

  /** Adds a sample, which is dropped unless it is a number from 0 to 1e200. A value on a bound is in that bucket. */
  observe(value: number): void {
    if (typeof value === 'number' && value >= 0 && value <= LARGEST) this.add(value);
  }

  /**
   * {@link observe} for a number that the caller has checked.
   * @internal
   */
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
