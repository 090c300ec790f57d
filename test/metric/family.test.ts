import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Counter } from '../../src/metric/counter.js';
import type { MetricDescriptor } from '../../src/metric/descriptor.js';
import { MetricFamily } from '../../src/metric/family.js';
import { Gauge } from '../../src/metric/gauge.js';
import { Histogram } from '../../src/metric/histogram.js';

function descriptor(over: Partial<MetricDescriptor> = {}): MetricDescriptor {
  return {
    name: 'f_total',
    help: 'Help.',
    type: 'counter',
    labelNames: ['a', 'b'],
    aggregator: 'sum',
    upperBounds: [],
    ...over,
  };
}

const visible = (family: MetricFamily) => [...family.visible()].map(({ labels }) => labels);

describe('MetricFamily', () => {
  it('gives handles of its type', () => {
    expect(new MetricFamily(descriptor()).labels('1', '2')).toBeInstanceOf(Counter);
    const gauge = new MetricFamily<'gauge'>(descriptor({ type: 'gauge' }));
    expect(gauge.labels('1', '2')).toBeInstanceOf(Gauge);
    const histogram = new MetricFamily<'histogram'>(descriptor({ type: 'histogram', upperBounds: [1, 2] }));
    const handle = histogram.labels('1', '2');
    expect(handle).toBeInstanceOf(Histogram);
    expect(handle.cells).toHaveLength(4);
  });

  it('has one series per label values, however often it is asked', () => {
    // Values that a careless key would confuse, close together.
    const value = fc.oneof(
      fc.constantFrom(
        '',
        ',',
        '"',
        '\\',
        'a,b',
        'a',
        'b,c',
        'c',
        '"a"',
        '\n',
        '__proto__',
        '\u0000',
        '1',
        '01',
      ),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(value, value), { maxLength: 40 }), (pairs) => {
        const family = new MetricFamily<'counter'>(descriptor());
        for (const [a, b] of pairs) family.labels(a, b).inc();
        const counts = new Map<string, number>();
        for (const [a, b] of pairs) {
          const key = `${Buffer.from(a).toString('hex')} ${Buffer.from(b).toString('hex')}`;
          counts.set(key, (counts.get(key) ?? 0) + 1);
        }
        const series = [...family.all()];
        expect(series.map(({ cells }) => cells[0])).toEqual([...counts.values()]);
        expect(family.version).toBe(counts.size);
      }),
      { numRuns: 300 },
    );
  });

  it('keeps apart what reads the same when joined', () => {
    const family = new MetricFamily(descriptor());
    expect(family.series('a', 'b,c')).not.toBe(family.series('a,b', 'c'));
    expect(family.series('', 'x')).not.toBe(family.series('x', ''));
    expect(family.series('a","b', 'c')).not.toBe(family.series('a', 'b","c'));
  });

  it('writes a lone surrogate as the page must: one series with U+FFFD', () => {
    const family = new MetricFamily(descriptor());
    const series = family.series('m\ud800', '\udc00n');
    expect(series.labels).toEqual({ a: 'm\ufffd', b: '\ufffdn' });
    expect(family.series('m\ufffd', '\ufffdn')).toBe(series);
    family.remove(series);
    expect(visible(family)).toEqual([]);
  });

  it('has labels in the order of their names, frozen', () => {
    const { labels } = new MetricFamily(descriptor({ labelNames: ['z', 'a'] })).series('1', '2');
    expect(Object.entries(labels)).toEqual([
      ['z', '1'],
      ['a', '2'],
    ]);
    expect(Object.isFrozen(labels)).toBe(true);
  });

  it.each([[[]], [['1']], [['1', '2', '3']]])('throws on another number of label values: %j', (values) => {
    const family = new MetricFamily(descriptor());
    expect(() => family.labels(...values)).toThrow(
      new RangeError(`f_total: expected 2 label values, got ${values.length}`),
    );
    expect(family.version).toBe(0);
  });

  it('hides and shows a series without losing it, and says so once by its version', () => {
    const family = new MetricFamily(descriptor());
    const [first, second] = [family.series('1', '1'), family.series('2', '2')];
    first.cells[0] = 5;
    family.hide(first, true);
    family.hide(first, true);
    expect([family.version, visible(family)]).toEqual([3, [second.labels]]);
    expect(family.series('1', '1')).toBe(first);
    expect([...family.all()]).toEqual([first, second]);
    family.hide(first, false);
    expect([family.version, visible(family)]).toEqual([4, [first.labels, second.labels]]);
    expect(first.cells[0]).toBe(5);
  });

  it('removes a series, once, and makes a new one at 0 after it', () => {
    const family = new MetricFamily(descriptor());
    const series = family.series('1', '1');
    series.cells[0] = 5;
    family.remove(series);
    family.remove(series);
    expect([family.version, visible(family)]).toEqual([2, []]);
    expect(family.series('1', '1')).not.toBe(series);
    expect(family.series('1', '1').cells[0]).toBe(0);
  });

  it('does not remove the series that took the place of a removed one', () => {
    const family = new MetricFamily(descriptor());
    const old = family.series('1', '1');
    family.remove(old);
    const present = family.series('1', '1');
    family.remove(old);
    expect([...family.all()]).toEqual([present]);
  });

  it('makes orphans on no page', () => {
    const family = new MetricFamily(descriptor());
    const orphan = family.orphan('1', '1');
    expect([family.version, [...family.all()]]).toEqual([0, []]);
    expect(family.series('1', '1')).not.toBe(orphan);
  });
});
