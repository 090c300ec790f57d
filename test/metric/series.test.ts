import { expect, it } from 'vitest';
import { MetricFamily } from '../../src/metric/family.js';

function familyOf<T extends 'counter' | 'gauge'>(type: T): MetricFamily<T> {
  return new MetricFamily<T>({
    name: `${type}_total`,
    help: 'Help.',
    type,
    labelNames: ['a'],
    aggregator: 'sum',
    upperBounds: [],
  });
}

it('shows what its handles write, checked by their callers or not', () => {
  const family = familyOf('gauge');
  const gauge = family.labels('x');
  gauge.put(3);
  expect([gauge.value, family.series('x').value]).toEqual([3, 3]);
  const counted = familyOf('counter');
  const counter = counted.labels('x');
  counter.add(3);
  counter.add(2);
  expect([counter.value, counted.series('x').value]).toEqual([5, 5]);
});

it('can be put without a handle', () => {
  const series = familyOf('gauge').series('x');
  series.put(-2);
  expect(series.value).toBe(-2);
});

it('is 0 after a reset of its family, hidden or not, which the family counts', () => {
  const family = familyOf('gauge');
  const [shown, hidden] = [family.labels('shown'), family.labels('hidden')];
  family.hide(family.series('hidden'), true);
  for (const gauge of [shown, hidden]) gauge.set(5);
  family.reset();
  family.reset();
  expect([shown.value, hidden.value, family.resets]).toEqual([0, 0, 2]);
});

it('has cells and labels without being on a page, as an orphan', () => {
  const family = familyOf('gauge');
  const orphan = family.orphan('x');
  orphan.put(1);
  expect([orphan.labels, orphan.cells.length, orphan.value]).toEqual([{ a: 'x' }, 1, 1]);
  expect([[...family.all()], family.series('x').value]).toEqual([[], 0]);
  expect(() => family.orphan()).toThrow('gauge_total: expected 1 label values, got 0');
});
