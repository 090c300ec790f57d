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
