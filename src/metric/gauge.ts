import { Handle, LARGEST } from './handle.js';

/** A series that is overwritten. */
export class GaugeHandle extends Handle {
  /** Sets the value; one that is not a number from -1e200 to 1e200 leaves the last one. */
  set(value: number): void {
    if (typeof value === 'number' && value >= -LARGEST && value <= LARGEST) this.cells[0] = value;
  }

  get value(): number {
    return this.cells[0]!;
  }
}
