import { Handle, LARGEST } from './handle.js';

/** A series that only grows. */
export class CounterHandle extends Handle {
  /** Adds `n`, which is dropped unless it is a number from 0 to 1e200. */
  inc(n = 1): void {
    if (typeof n === 'number' && n >= 0 && n <= LARGEST) this.cells[0]! += n;
  }

  get value(): number {
    return this.cells[0]!;
  }
}
