/** What only one type of metric has. */
import { describe, expect, it } from 'vitest';
import { describeMetric, type MetricType } from '../../src/metric/descriptor.js';
import { MetricFamily } from '../../src/metric/family.js';
import { printed } from '../../src/metric/printed.js';

function descriptor(type: MetricType, name: string, upperBounds: readonly number[] = []) {
  return { name, help: 'Help.', type, labelNames: ['engine'], aggregator: 'sum' as const, upperBounds };
}

describe('a metric of its type', () => {
  it('has a name in _total only as a counter', () => {
    expect(describeMetric(descriptor('gauge', 'load')).name).toBe('load');
    expect(describeMetric(descriptor('histogram', 'seconds', [1])).name).toBe('seconds');
    expect(() => describeMetric(descriptor('counter', 'load'))).toThrow('expected a counter');
  });

  it('has buckets only as a histogram, and one cell otherwise', () => {
    const counter = new MetricFamily(descriptor('counter', 'load_total'));
    expect(counter.buckets).toBeUndefined();
    expect(counter.series('0').cells).toHaveLength(1);
    expect(new MetricFamily(descriptor('histogram', 'seconds', [1, 2])).series('0').cells).toHaveLength(4);
  });
});

describe('a value that cannot be printed', () => {
  it('is named by its type', () => {
    const value = {
      toString() {
        throw new Error('no');
      },
    };
    expect(printed(value)).toBe('object');
    expect(printed(Object.create(null))).toBe('object');
  });
});
