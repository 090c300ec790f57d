import { expect, it } from 'vitest';
import { CellSlabs } from '../../src/metric/cell-slabs.js';
import { MetricFamily } from '../../src/metric/family.js';

it('gives each series a range of its own', () => {
  const slabs = new CellSlabs(3);
  const ranges = Array.from({ length: 200 }, () => slabs.take());
  for (const { slab, at } of ranges) for (let i = 0; i < 3; i++) slab[at + i]! += 1;
  for (const { slab, at } of ranges) expect([...slab.subarray(at, at + 3)]).toEqual([1, 1, 1]);
});

it('puts the series of a family side by side', () => {
  const slabs = new CellSlabs(2);
  const [one, other] = [slabs.take(), slabs.take()];
  expect([other.slab === one.slab, other.at - one.at]).toEqual([true, 2]);
});

it('begins with room for 8 series and goes on by 64, so that a small family stays small', () => {
  const slabs = new CellSlabs(2);
  const lengths = Array.from({ length: 8 + 64 + 1 }, () => slabs.take().slab.length);
  expect(lengths).toEqual([...Array(8).fill(16), ...Array(64 + 1).fill(128)]);
});

it('lets a series write into no cells but its own', () => {
  const family = new MetricFamily<'histogram'>({
    name: 'h',
    help: 'h',
    type: 'histogram',
    labelNames: ['a'],
    aggregator: 'sum',
    upperBounds: [1, 2],
  });
  const handles = Array.from({ length: 100 }, (_, i) => family.labels(String(i)));
  handles.forEach((handle, i) => {
    for (let k = 0; k <= i; k++) handle.observe(3);
  });
  expect(handles.map(({ count, sum }) => [count, sum])).toEqual(handles.map((_, i) => [i + 1, 3 * (i + 1)]));
});
