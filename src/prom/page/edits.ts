import { writeFloat } from '../text/number-bytes.js';

/** More than any number takes. */
const WIDEST = 32;

function doubled<T extends Int32Array | Uint8Array>(array: T, make: (size: number) => T): T {
  const larger = make(2 * array.length);
  larger.set(array);
  return larger;
}

/** The values of one scrape that do not fit where the last ones stood, in page order. */
export class Edits {
  /** The spelled values, one after the other. */
  bytes: Uint8Array = new Uint8Array(1 << 14);
  /** The line of each edit, counted within its block. */
  lines: Int32Array = new Int32Array(1 << 10);
  /** Where each edit's value ends in `bytes`; it begins where the one before ends. */
  ends: Int32Array = new Int32Array(1 << 10);
  count = 0;
  /** The end of the last edit's value. */
  end = 0;

  clear(): void {
    this.count = 0;
    this.end = 0;
  }

  /** Spells `value` behind the last edit and returns its width; {@link keep} makes it an edit. */
  spell(value: number): number {
    if (this.end + WIDEST > this.bytes.length)
      this.bytes = doubled(this.bytes, (size) => new Uint8Array(size));
    return writeFloat(this.bytes, this.end, value);
  }

  keep(line: number, width: number): void {
    if (this.count === this.lines.length) {
      this.lines = doubled(this.lines, (size) => new Int32Array(size));
      this.ends = doubled(this.ends, (size) => new Int32Array(size));
    }
    this.end += width;
    this.lines[this.count] = line;
    this.ends[this.count++] = this.end;
  }
}
