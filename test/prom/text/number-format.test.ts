import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatFloat, widthOfCount, writeFloat } from '../../../src/prom/text/number-format.js';

/** Decimal text as `Number` takes it, and prometheus_client 0.26.0's spelling. */
const vectors: [decimal: string, spelling: string][] = JSON.parse(
  gunzipSync(readFileSync(join(import.meta.dirname, 'number-spelling.json.gz'))).toString(),
).cases;
const original = join(import.meta.dirname, '../../../../shared/golden/python-number-spelling.json');

function writtenAsBytes(value: number): string {
  const bytes = new Uint8Array(40);
  return Buffer.from(bytes.subarray(5, 5 + writeFloat(bytes, 5, value))).toString();
}

describe('the spelling of numbers', () => {
  it("is Python's for all 300 vectors", () => {
    expect(vectors).toHaveLength(300);
    expect(vectors.map(([decimal]) => [decimal, formatFloat(Number(decimal))])).toEqual(vectors);
  });

  it('is the same in bytes', () => {
    expect(vectors.map(([decimal]) => [decimal, writtenAsBytes(Number(decimal))])).toEqual(vectors);
    fc.assert(fc.property(fc.double(), (value) => writtenAsBytes(value) === formatFloat(value)));
    fc.assert(
      fc.property(fc.integer({ min: -5, max: 2e6 }), (value) => writtenAsBytes(value) === formatFloat(value)),
    );
  });

  it.each([0, 9, 10, 99, 100, 999, 1000, 9999, 10_000, 99_999, 100_000, 999_999])(
    'knows how wide %d is without spelling it',
    (count) => {
      expect(widthOfCount(count)).toBe(formatFloat(count).length);
    },
  );

  it.each([-0, -1, 0.5, 1e6, 2 ** 32, NaN, Infinity])('has no quick width for %d', (value) => {
    expect(widthOfCount(value)).toBe(0);
  });

  it.runIf(existsSync(original))('is compared with all vectors there are', () => {
    const { cases } = JSON.parse(readFileSync(original, 'utf8')) as { cases: Record<string, string>[] };
    expect(cases.map(({ decimal, spelling }) => [decimal, spelling])).toEqual(vectors);
  });
});

it.each([
  [-1e6, '-1000000.0'],
  [-1000000.5, '-1000000.5'],
  [999999, '999999.0'],
  [999999.5, '999999.5'],
  [1e6, '1e+06'],
  [1000000.5, '1.0000005e+06'],
  [0.0001, '0.0001'],
  [-0.0001, '-0.0001'],
  [0.00009999, '9.999e-05'],
  [-0.00009999, '-9.999e-05'],
  [-9999999999999998, '-9999999999999998.0'],
  [-1e16, '-1e+16'],
  [1e100, '1e+100'],
  [-1e-100, '-1e-100'],
  [-0, '-0.0'],
])('%d is spelled %s', (value, text) => {
  expect(formatFloat(value)).toBe(text);
});

it.each([7, 0.5])('%d in bytes leaves those around it alone', (value) => {
  const bytes = new Uint8Array(6).fill(120);
  expect(writeFloat(bytes, 1, value)).toBe(3);
  expect(String.fromCharCode(...bytes)).toBe(`x${formatFloat(value)}xx`);
});
