import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { toFixedHalfEven, toWhole } from '../../../src/serving/stats-log/format.js';

/** The reference: the double as an exact fraction of whole numbers, rounded by whole-number arithmetic only. */
function exactHalfEven(value: number, decimals: number): string {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, Math.abs(value));
  const raw = bits.getBigUint64(0);
  const exponentBits = raw >> 52n;
  const fraction = raw & ((1n << 52n) - 1n);
  const mantissa = exponentBits === 0n ? fraction : fraction | (1n << 52n);
  const exponent = (exponentBits === 0n ? 1n : exponentBits) - 1075n;
  const numerator = mantissa * 10n ** BigInt(decimals) * (exponent > 0n ? 1n << exponent : 1n);
  const denominator = exponent < 0n ? 1n << -exponent : 1n;
  let whole = numerator / denominator;
  const twice = 2n * (numerator % denominator);
  if (twice > denominator || (twice === denominator && whole % 2n === 1n)) whole += 1n;
  const digits = String(whole).padStart(decimals + 1, '0');
  const text = `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
  return value < 0 ? `-${text}` : text;
}

const decimals = fc.integer({ min: 1, max: 3 });

describe('toFixedHalfEven', () => {
  test.each([
    [6.25, 1, '6.2'],
    [6.75, 1, '6.8'],
    [0.25, 1, '0.2'],
    [0.75, 1, '0.8'],
    [99.75, 1, '99.8'],
    [0.125, 2, '0.12'],
    [0.375, 2, '0.38'],
    [9.995, 2, '9.99'],
    [0.0625, 3, '0.062'],
    [0.1875, 3, '0.188'],
    [-6.25, 1, '-6.2'],
    [0, 1, '0.0'],
    [0.05, 1, '0.1'],
    [0.15, 1, '0.1'],
    [0.35, 1, '0.3'],
    [1e21, 1, '1000000000000000000000.0'],
    [Number.NaN, 1, 'nan'],
    [Infinity, 2, 'inf'],
    [-Infinity, 2, '-inf'],
  ])('prints %d with %d decimals as %s', (value, places, text) => {
    expect(toFixedHalfEven(value, places)).toBe(text);
  });

  it('rounds every double as whole-number arithmetic on its exact value does', () => {
    const double = fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => value !== 0);
    fc.assert(
      fc.property(double, decimals, (value, places) => {
        expect(toFixedHalfEven(value, places)).toBe(exactHalfEven(value, places));
      }),
      { numRuns: 2000 },
    );
  });

  it('rounds every exact half to the even digit', () => {
    fc.assert(
      fc.property(fc.integer({ min: -(2 ** 40), max: 2 ** 40 }), decimals, (k, places) => {
        const half = (2 * k + 1) / 2 ** (places + 1);
        expect(toFixedHalfEven(half, places)).toBe(exactHalfEven(half, places));
      }),
      { numRuns: 2000 },
    );
  });

  it('takes the neighbours of a half for what they are', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 30 }), decimals, fc.boolean(), (k, places, up) => {
        const half = (2 * k + 1) / 2 ** (places + 1);
        const beside = half * (up ? 1 + Number.EPSILON : 1 - Number.EPSILON);
        expect(toFixedHalfEven(beside, places)).toBe(exactHalfEven(beside, places));
      }),
      { numRuns: 2000 },
    );
  });
});

describe('toWhole', () => {
  test.each([
    [0, '0'],
    [3, '3'],
    [2.9, '2'],
    [1e21, '1000000000000000000000'],
    [Number.NaN, 'nan'],
  ])('prints %d as %s', (value, text) => {
    expect(toWhole(value)).toBe(text);
  });
});

it.each([
  [1e21, 0, '1000000000000000000000'],
  [1e21, 1, '1000000000000000000000.0'],
  [-1e21, 2, '-1000000000000000000000.00'],
])('%d with %d decimals', (value, decimals, text) => {
  expect(toFixedHalfEven(value, decimals)).toBe(text);
});
