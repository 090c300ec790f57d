/** Numbers as Python's `%.1f` and `%d` print them. */

function pythonSpecial(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  return value > 0 ? 'inf' : '-inf';
}

/**
 * A number with so many decimals, an exact half rounded to the even digit as Python does; `toFixed` rounds it away
 * from zero (6.25 is `6.2` here and 6.3 there). Both go by the exact binary value, so only true halves differ.
 */
export function toFixedHalfEven(value: number, decimals: number): string {
  if (!Number.isFinite(value)) return pythonSpecial(value);
  // From here on `toFixed` answers with an exponent; such a number has no fraction.
  if (Math.abs(value) >= 1e21) return `${BigInt(value)}${decimals > 0 ? `.${'0'.repeat(decimals)}` : ''}`;
  const text = value.toFixed(decimals);
  // A half has the form (2k + 1) / (2 * 10^d); a double can only be one if it is an odd multiple of 2^-(d + 1).
  const isHalf = Math.abs(value * 2 ** (decimals + 1)) % 2 === 1;
  const last = Number(text.at(-1));
  // Rounded up to an odd digit: the even one is just below it, so no digit before it changes.
  return isHalf && last % 2 === 1 ? `${text.slice(0, -1)}${last - 1}` : text;
}

/** A whole number in full, without an exponent; a fraction is cut off. */
export function toWhole(value: number): string {
  return Number.isFinite(value) ? String(BigInt(Math.trunc(value))) : pythonSpecial(value);
}
