import { Handle, LARGEST } from './handle.js';
import type { GaugeHandle } from './public-handles.js';

export class Gauge extends Handle implements GaugeHandle {
  set(value: number): void {
    if (typeof value === 'number' && value >= -LARGEST && value <= LARGEST) this.cells[0] = value;
  }

  /** {@link set} for a number that the caller has checked. */
  put(value: number): void {
    this.cells[0] = value;
  }

  get value(): number {
    return this.cells[0]!;
  }
}
