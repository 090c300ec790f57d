/** What the errors of options say: which one, what was expected, what came. */
import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { ServingMetrics, type ServingMetricsOptions } from '../../../src/index.js';

const bad = {
  registerMetric() {},
  getSingleMetric() {},
  getMetricsAsJSON() {},
};

it.each([
  ['registry.registerMetric: expected a function, got undefined', { registry: {} }],
  ['registry.contentType: expected a string, got undefined', { registry: bad }],
  ['modelName: expected a non-empty string, got ""', { modelName: '' }],
  ['engines: expected an array of engine indexes, got 5', { engines: 5 }],
  ['prefix: expected the beginning of a metric name, got "1"', { prefix: '1' }],
  ['registry.contentType: expected a string, got 5', { registry: { ...bad, contentType: 5 } }],
  ['clock: expected an object with now(), got 5', { clock: 5 }],
  ["unknownIntervals: expected 'zero' or 'omit', got \"none\"", { unknownIntervals: 'none' }],
  ['onDiagnostic: expected a function, got 5', { onDiagnostic: 5 }],
  ['numSpecTokens: expected a whole number of at least 0, got -1', { numSpecTokens: -1 }],
  ['numSpecTokens: expected at most 256, got 257', { numSpecTokens: 257 }],
  ['buckets: expected one of requestLatency, timeToFirstToken, ', { buckets: { latency: [1] } }],
])('an option that is bad: "%s"', (message, options) => {
  const all = { registry: new Registry(), modelName: 'm', ...options } as unknown as ServingMetricsOptions;
  expect(() => new ServingMetrics(all)).toThrow(message);
});

it('256 draft positions are the most', () => {
  const options = { registry: new Registry(), modelName: 'm', numSpecTokens: 256 };
  expect(() => new ServingMetrics(options)).not.toThrow();
});
