/**
 * Spells numbers as vLLM's pages do: the float form of Python's prometheus_client (`1.0`), exponents from 1e6 up
 * for positive numbers, with at least two digits (`2e+06`, `1.5e+10`), as its release 0.26.0 does.
 */
export function formatFloat(value: number): string {
  if (value > -1e6 && value < 1e6 && Number.isInteger(value)) {
    return Object.is(value, -0) ? '-0.0' : `${value}.0`;
  }
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  // Python's repr turns to exponents below 1e-4 and from 1e16; prometheus_client, as Go, from 1e6, if positive.
  const size = Math.abs(value);
  if (size < 1e-4 || size >= 1e16 || value >= 1e6) return withExponent(value);
  return Number.isInteger(value) ? `${value}.0` : String(value);
}

function withExponent(value: number): string {
  const [mantissa, exponent] = value.toExponential().split('e') as [string, string];
  const digits = exponent.slice(1);
  return `${mantissa}e${exponent[0]}${digits.length < 2 ? `0${digits}` : digits}`;
}

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
