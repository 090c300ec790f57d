import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BucketIndex } from '../../src/metric/bucket-index.js';

/** The rule in one line: the first bound that is not below the value. */
function linear(bounds: readonly number[], value: number): number {
  const bucket = bounds.findIndex((bound) => value <= bound);
  return bucket < 0 ? bounds.length : bucket;
}

const positive = fc.double({ min: Number.MIN_VALUE, max: Number.MAX_VALUE, noNaN: true });
/** Bounds as people write them: some decades, halves and thirds close together. */
const usual = fc.oneof(
  fc.integer({ min: 1, max: 1000 }).map((n) => n / 1000),
  fc.integer({ min: 1, max: 200_000 }),
  fc.double({ min: 1e-3, max: 1e4, noNaN: true }),
);
const bound = fc.oneof(positive, usual);

function boundsOf(maxLength: number): fc.Arbitrary<number[]> {
  return fc.uniqueArray(bound, { minLength: 1, maxLength }).map((bounds) => bounds.sort((a, b) => a - b));
}

/** The double next above: where an index that rounds goes wrong. */
function above(value: number): number {
  const bits = new BigUint64Array(new Float64Array([value]).buffer);
  bits[0]! += 1n;
  return new Float64Array(bits.buffer)[0]!;
}

function below(value: number): number {
  const bits = new BigUint64Array(new Float64Array([value]).buffer);
  bits[0]! -= 1n;
  return new Float64Array(bits.buffer)[0]!;
}

const VALUES = [
  0,
  -0,
  -1,
  -1e308,
  -Infinity,
  Infinity,
  Number.MIN_VALUE,
  2 ** -1022, // the smallest normal double
  2 ** -1022 - Number.MIN_VALUE,
  Number.MAX_VALUE,
  Number.EPSILON,
  1e200,
  2 ** 53,
];

function expectSameAsLinear(bounds: readonly number[], values: readonly number[]): void {
  const index = new BucketIndex(bounds);
  for (const value of values) {
    const expected = linear(bounds, value);
    // Not `expect` for each of millions of values: it would be all of the test's time.
    if (index.find(value) !== expected) expect([value, index.find(value)]).toEqual([value, expected]);
  }
}

describe('BucketIndex', () => {
  it('finds the bucket that a linear search finds', () => {
    fc.assert(
      fc.property(boundsOf(40), fc.array(fc.double({ noNaN: true })), (bounds, values) => {
        const around = bounds.flatMap((at) => [at, above(at), below(at), -at, at / 2, at * 2]);
        expectSameAsLinear(bounds, [...VALUES, ...around, ...values]);
      }),
      { numRuns: 1000 },
    );
  });

  it('finds it among more bounds than a byte counts', () => {
    fc.assert(
      fc.property(fc.integer({ min: 256, max: 1500 }), usual, usual, (length, start, step) => {
        const bounds = Array.from({ length }, (_, i) => start + i * step);
        fc.pre(bounds.every((at, i) => i === 0 || at > bounds[i - 1]!));
        expectSameAsLinear(bounds, [...VALUES, ...bounds.flatMap((at) => [at, above(at), below(at)])]);
      }),
      { numRuns: 50 },
    );
  });

  it('finds it among many bounds that share their top bits', () => {
    const bounds = Array.from({ length: 600 }, (_, i) => 1 + i * Number.EPSILON);
    expectSameAsLinear(bounds, [...VALUES, ...bounds, ...bounds.map((at) => at + 3 * Number.EPSILON)]);
  });

  it.each([
    ['one bound', [1]],
    ['the smallest double', [Number.MIN_VALUE]],
    ['the largest double', [Number.MAX_VALUE]],
    ['the whole range', [Number.MIN_VALUE, 1, Number.MAX_VALUE]],
    ['subnormals', [1e-320, 2e-320, 1e-310, 2e-308]],
  ])('takes %s', (_, bounds) => {
    expectSameAsLinear(bounds, [...VALUES, ...bounds.flatMap((at) => [at, above(at), below(at)])]);
  });

  it('files a value on a bound in that bucket', () => {
    const index = new BucketIndex([0.1, 0.2, 0.5]);
    expect([0.1, 0.2, 0.5, 0.50000001].map((value) => index.find(value))).toEqual([0, 1, 2, 3]);
  });
});
