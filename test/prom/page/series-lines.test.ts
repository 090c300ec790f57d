/** Cells side by side: slabs hold 8 series, then 64 each. */
import { expect, it } from 'vitest';
import { MetricFamily } from '../../../src/metric/family.js';
import { runsOf } from '../../../src/prom/page/series-lines.js';
import { describeFamily } from '../../support/registries.js';

function seriesOf(count: number) {
  const family = new MetricFamily(describeFamily('histogram', 'h', ['engine'], [1]));
  return Array.from({ length: count }, (_, i) => {
    const series = family.series(String(i));
    series.cells.set([3 * i, 3 * i + 1, 3 * i + 2]);
    return series;
  });
}

it.each([
  ['one series', 1, [0], [3]],
  ['a slab', 8, [0, 1, 2, 3, 4, 5, 6, 7], [24]],
  ['two slabs', 12, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], [24, 12]],
  ['a slab with a gap', 8, [0, 1, 3, 4, 5], [6, 9]],
  ['another order', 8, [2, 1, 0], [3, 3, 3]],
  ['the same place of two slabs', 12, [0, 9], [3, 3]],
])('%s', (_, count, chosen, lengths) => {
  const all = seriesOf(count);
  const runs = runsOf(chosen.map((i) => all[i]!));
  expect(runs.map(({ length }) => length)).toEqual(lengths);
  expect(runs.map(({ from }) => from)).toEqual(
    lengths.map((_, i) => lengths.slice(0, i).reduce((a, b) => a + b, 0)),
  );
  const read = runs.flatMap(({ slab, at, length }) => [...slab.subarray(at, at + length)]);
  expect(read).toEqual(chosen.flatMap((i) => [3 * i, 3 * i + 1, 3 * i + 2]));
});
