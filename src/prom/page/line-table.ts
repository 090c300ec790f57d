import { moveBytes } from '../text/bytes.js';
import { widthOfCount, writeCount, writeFloat } from '../text/number-format.js';

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

  /** Spells `value` after the last edit and returns its width; {@link keep} makes it an edit. */
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

/** Where the value of each line of a block stands. */
export class LineTable {
  /** Memory for one line: four bytes of `ends`, one of `widths`. */
  static readonly BYTES = 5;
  /** The block's edits of this scrape, `firstEdit` to before `lastEdit`. */
  firstEdit = 0;
  lastEdit = 0;
  /** By how many bytes they lengthen the block. */
  growth = 0;
  /** Where each value ends, which is its newline's place, counted from the block's first byte. */
  readonly ends: Uint32Array;
  /** How many bytes each value takes. */
  readonly widths: Uint8Array;

  /** Takes {@link LineTable.BYTES} a line of `memory`, from `at` on. */
  constructor(memory: ArrayBuffer, at: number, lines: number) {
    this.ends = new Uint32Array(memory, at, lines);
    this.widths = new Uint8Array(memory, at + this.ends.byteLength, lines);
  }

  /** Notes a line's new value: in place if it is as wide as the last one, else as an edit. `at` is the block's place. */
  move(line: number, value: number, page: Uint8Array, at: number, edits: Edits): void {
    const width = widthOfCount(value);
    const end = at + this.ends[line]!;
    if (width > 0 && width === this.widths[line]) {
      writeCount(page, end, value);
      return;
    }
    const spelled = edits.spell(value);
    if (spelled !== this.widths[line]) {
      edits.keep(line, spelled);
      this.growth += spelled - this.widths[line]!;
      return;
    }
    for (let i = 0, to = end - spelled; i < spelled; i++) page[to + i] = edits.bytes[edits.end + i]!;
  }

  /** Copies the block from `from` of `page` to `to` of `target`, its edits applied. */
  settle(page: Uint8Array, from: number, target: Uint8Array, to: number, edits: Edits): void {
    const ends = this.ends;
    let next = from; // the first byte that is not copied yet
    let line = 0;
    let shift = to - from; // how far a byte of the page moves
    for (let edit = this.firstEdit; edit < this.lastEdit; edit++) {
      const edited = edits.lines[edit]!;
      for (; line < edited; line++) ends[line]! += shift - (to - from);
      const end = from + ends[edited]!;
      const start = end - this.widths[edited]!;
      moveBytes(page, next, start, target, next + shift);
      const source = edit === 0 ? 0 : edits.ends[edit - 1]!;
      const width = edits.ends[edit]! - source;
      for (let i = 0; i < width; i++) target[start + shift + i] = edits.bytes[source + i]!;
      shift += width - this.widths[edited]!;
      this.widths[edited] = width;
      next = end;
    }
    const end = from + ends[ends.length - 1]! + 1;
    for (; line < ends.length; line++) ends[line]! += shift - (to - from);
    moveBytes(page, next, end, target, next + shift);
  }
}
