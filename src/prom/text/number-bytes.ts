/** Numbers spelled straight into a page's bytes. */
import { formatFloat } from './number-format.js';

const ZERO = 48;
const POINT = 46;

/** The width of `formatFloat(value)` if that is a whole number from 0 to 999,999, as nearly all counts are; else 0. */
export function widthOfCount(value: number): number {
  if (!(value >= 0 && value < 1e6) || (value | 0) !== value || Object.is(value, -0)) return 0;
  if (value < 1e3) return value < 10 ? 3 : value < 100 ? 4 : 5;
  return value < 1e4 ? 6 : value < 1e5 ? 7 : 8;
}

/** Writes a number that has a {@link widthOfCount}, its last byte before `end`. */
export function writeCount(bytes: Uint8Array, end: number, value: number): void {
  let at = end;
  bytes[--at] = ZERO;
  bytes[--at] = POINT;
  let rest = value | 0;
  do {
    const tenth = (rest / 10) | 0;
    bytes[--at] = ZERO + rest - tenth * 10;
    rest = tenth;
  } while (rest > 0);
}

/** Writes `formatFloat(value)` at `at`, at most 25 bytes, and returns how many. */
export function writeFloat(bytes: Uint8Array, at: number, value: number): number {
  const width = widthOfCount(value);
  if (width > 0) {
    writeCount(bytes, at + width, value);
    return width;
  }
  const text = formatFloat(value);
  for (let i = 0; i < text.length; i++) bytes[at + i] = text.charCodeAt(i);
  return text.length;
}
