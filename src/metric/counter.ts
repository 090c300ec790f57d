import { Handle, isRecordable } from './handle.js';
import type { CounterHandle } from './public-handles.js';

export class Counter extends Handle implements CounterHandle {
  inc(n = 1): void {
    if (isRecordable(n)) this.cells[0]! += n;
  }

  /** {@link inc} for a number that the caller has checked. */
  add(n: number): void {
    this.cells[0]! += n;
  }

  get value(): number {
    return this.cells[0]!;
  }
}
