import { expect, it } from 'vitest';
import { parseExposition } from '../../../src/demo/page/data/exposition.js';
import {
  countOf,
  growthOf,
  type Histogram,
  histogramOf,
  quantileOf,
} from '../../../src/demo/page/data/histogram.js';

const INF = Number.POSITIVE_INFINITY;
const histogram = (counts: readonly number[]): Histogram => ({ bounds: [1, 2, 4, INF], counts });

it('adds the buckets of all series and takes them apart', () => {
  const text = ['0', '1']
    .flatMap((engine) => [
      `h_bucket{engine="${engine}",le="+Inf"} 9`,
      `h_bucket{engine="${engine}",le="1.0"} 2`,
      `h_bucket{engine="${engine}",le="10.0"} 5`,
    ])
    .join('\n');
  expect(histogramOf(parseExposition(text), 'h')).toEqual({ bounds: [1, 10, INF], counts: [4, 6, 8] });
});

it('gives the growth between two looks, and all of it after a reset', () => {
  expect(growthOf(histogram([1, 1, 1, 1]), histogram([3, 1, 2, 1])).counts).toEqual([2, 0, 1, 0]);
  expect(growthOf(histogram([5, 0, 0, 0]), histogram([1, 0, 0, 0])).counts).toEqual([1, 0, 0, 0]);
  expect(growthOf(undefined, histogram([1, 0, 0, 2])).counts).toEqual([1, 0, 0, 2]);
});

it.each([
  ['the middle of a bucket', 0.5, [0, 10, 0, 0], 1.5],
  ['the first bucket from 0', 0.5, [10, 0, 0, 0], 0.5],
  ['the bucket that the rank falls into', 0.9, [50, 30, 20, 0], 3],
  ['the highest finite bound in the last bucket', 0.99, [0, 0, 1, 99], 4],
  ['nothing without observations', 0.5, [0, 0, 0, 0], null],
])('interpolates as PromQL does: %s', (_, q, counts, expected) => {
  expect(quantileOf(q, histogram(counts))).toBe(expected);
});

it('counts', () => {
  expect(countOf(histogram([1, 2, 3, 4]))).toBe(10);
});
