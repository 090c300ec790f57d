/** Figures as people read them. */

const COUNT = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const COMPACT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

export function countText(value: number): string {
  return Math.abs(value) < 100_000 ? COUNT.format(value) : COMPACT.format(value);
}

/** Seconds in the unit that fits: `840 µs`, `12 ms`, `1.5 s`, `2 min`. */
export function durationText(seconds: number): string {
  if (seconds === 0) return '0';
  if (seconds < 0.001) return `${rounded(seconds * 1e6)} µs`;
  if (seconds < 1) return `${rounded(seconds * 1e3)} ms`;
  return seconds < 120 ? `${rounded(seconds)} s` : `${rounded(seconds / 60)} min`;
}

export function percentText(fraction: number): string {
  return `${rounded(fraction * 100)} %`;
}

function rounded(value: number): string {
  return value >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(2)));
}
