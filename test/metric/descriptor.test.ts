import { describe, expect, it } from 'vitest';
import {
  describeMetric,
  isLabelName,
  isMetricName,
  type MetricDescriptor,
} from '../../src/metric/descriptor.js';

const VALID: MetricDescriptor = {
  name: 'vllm:x_total',
  help: 'Help.',
  type: 'counter',
  labelNames: ['model_name', 'engine'],
  aggregator: 'sum',
  upperBounds: [],
};

describe('describeMetric', () => {
  it('gives a frozen copy', () => {
    const labelNames = ['a'];
    const described = describeMetric({ ...VALID, labelNames });
    labelNames.push('b');
    expect(described).toEqual({ ...VALID, labelNames: ['a'] });
    expect(Object.isFrozen(described)).toBe(true);
  });

  it.each([
    ['an empty name', { name: '' }, TypeError, 'metric name: expected [a-zA-Z_:][a-zA-Z0-9_:]*, got '],
    [
      'a name with a dash',
      { name: 'a-b_total' },
      TypeError,
      'metric name: expected [a-zA-Z_:][a-zA-Z0-9_:]*, got a-b_total',
    ],
    ['a name that starts with a digit', { name: '1_total' }, TypeError, 'got 1_total'],
    ['a name with a line break', { name: 'a_total\n' }, TypeError, 'metric name: expected'],
    ['no help text', { help: '' }, TypeError, 'vllm:x_total: expected a help text, got an empty one'],
    [
      'a counter without _total',
      { name: 'x' },
      TypeError,
      "x: expected a counter's name to end in _total, got x",
    ],
    ['an empty label name', { labelNames: [''] }, TypeError, 'vllm:x_total: expected a label name, got '],
    [
      'a label name with a dash',
      { labelNames: ['a-b'] },
      TypeError,
      'vllm:x_total: expected a label name, got a-b',
    ],
    ['a label name with a colon', { labelNames: ['a:b'] }, TypeError, 'got a:b'],
    ["Prometheus's own label", { labelNames: ['__name__'] }, TypeError, 'got __name__'],
    ["a histogram's own label", { labelNames: ['le'] }, TypeError, 'got le'],
    [
      'a label twice',
      { labelNames: ['a', 'a'] },
      TypeError,
      'vllm:x_total: expected distinct label names, got a, a',
    ],
    [
      'a histogram without bounds',
      { type: 'histogram' },
      RangeError,
      'vllm:x_total: expected at least one bound, got none',
    ],
    [
      'falling bounds',
      { type: 'histogram', upperBounds: [2, 1] },
      RangeError,
      'vllm:x_total: expected strictly increasing bounds, got 1 after 2',
    ],
  ] as [string, Partial<MetricDescriptor>, typeof TypeError, string][])(
    'throws on %s, naming subject, expected and got',
    (_, over, type, message) => {
      expect(() => describeMetric({ ...VALID, ...over })).toThrow(type);
      expect(() => describeMetric({ ...VALID, ...over })).toThrow(message);
    },
  );

  it('keeps bounds of histograms only', () => {
    expect(describeMetric({ ...VALID, upperBounds: [1] }).upperBounds).toEqual([]);
    expect(describeMetric({ ...VALID, type: 'histogram', upperBounds: [1] }).upperBounds).toEqual([1]);
  });
});

describe('names', () => {
  it.each(['vllm:a', '_a', ':a', 'A9'])('of metrics: %s is one', (name) => {
    expect(isMetricName(name)).toBe(true);
  });

  it.each(['a', '_a', 'A9', 'le_', 'a__'])('of labels: %s is one', (name) => {
    expect(isLabelName(name)).toBe(true);
  });

  it.each(['', 'a\n', 'é', '9', 'le', '__a', 'a b'])('of labels: %j is none', (name) => {
    expect(isLabelName(name)).toBe(false);
  });
});
