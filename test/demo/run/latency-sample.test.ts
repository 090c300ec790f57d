import { expect, it } from 'vitest';
import { LatencySample } from '../../../src/demo/run/latency-sample.js';

function sampleOf(count: number, mostKept: number): LatencySample {
  const sample = new LatencySample(mostKept);
  for (let i = 0; i < count; i++) sample.add(i);
  return sample;
}

it('keeps all values up to its bound', () => {
  const sample = sampleOf(100, 100);
  expect(sample.isExact).toBe(true);
  expect(sample.values).toEqual(Array.from({ length: 100 }, (_, i) => i));
});

it('keeps as many beyond it, early and late ones alike', () => {
  const sample = sampleOf(100_000, 1000);
  expect([sample.count, sample.values.length, sample.isExact]).toEqual([100_000, 1000, false]);
  const mean = sample.values.reduce((sum, value) => sum + value, 0) / 1000;
  // Uniform on 0 to 100,000: the mean of 1,000 draws lies within four standard errors, 3,651.
  expect(Math.abs(mean - 50_000)).toBeLessThan(3651);
  expect(new Set(sample.values).size).toBe(1000);
});
