import { expect, it } from 'vitest';
import { quantileOf, quantileOfBuckets } from '../../../src/demo/report/quantiles.js';

const HUNDRED = Array.from({ length: 100 }, (_, i) => i + 1);

it.each([
  ['the median', HUNDRED, 0.5, 50],
  ['a high one', HUNDRED, 0.99, 99],
  ['the smallest', HUNDRED, 0, 1],
  ['the largest', HUNDRED, 1, 100],
  ['one of a single value', [7], 0.9, 7],
  ['the median of two', [1, 9], 0.5, 1],
  ['a high one of ten', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 0.99, 10],
  ['one of nothing', [], 0.5, Number.NaN],
])('gives %s by nearest rank', (_case, sorted, q, expected) => {
  expect(quantileOf(sorted, q)).toBe(expected);
});

const BUCKETS = [
  [1, 10],
  [2, 20],
  [4, 20],
  [8, 40],
  [Infinity, 50],
] as const;

it.each([
  ['inside the first bucket, which begins at 0', 0.1, 0.5],
  ['at a bound', 0.2, 1],
  ['inside a bucket', 0.3, 1.5],
  ['beyond an empty bucket', 0.6, 6],
  ['above the highest bound', 0.95, 8],
])('interpolates %s', (_case, q, expected) => {
  expect(quantileOfBuckets(BUCKETS, q)).toBeCloseTo(expected, 12);
});

it('has no quantile of empty buckets', () => {
  expect(
    quantileOfBuckets(
      [
        [1, 0],
        [Infinity, 0],
      ],
      0.5,
    ),
  ).toBeNaN();
  expect(quantileOfBuckets([], 0.5)).toBeNaN();
});
