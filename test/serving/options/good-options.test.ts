import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { ServingMetrics, type ServingMetricsOptions } from '../../../src/index.js';

/** Options as a JavaScript caller may write them. */
type Loose = Record<string, unknown>;

const registry = new Registry();

const build = (over: Loose) =>
  new ServingMetrics({ registry, modelName: 'm', ...over } as unknown as ServingMetricsOptions);

describe('good options', () => {
  it.each([
    [{ engines: [] }],
    [{ engines: [3, 3] }],
    [{ maxModelLen: 1 }],
    [{ prefix: '' }],
    [{ prefix: ':' }],
    [{ maxLora: 0 }],
    [{ buckets: {} }],
    [{ buckets: { requestLatency: undefined } }],
    [{ unknownIntervals: 'omit' }],
    [{ clock: { now: () => 0 } }],
  ])('%j', (over) => {
    expect(() => build(over).dispose()).not.toThrow();
    expect(registry.getMetricsAsArray()).toEqual([]);
  });

  it('are not touched, and not looked at again', () => {
    const options = { registry, modelName: 'm', engines: [0], buckets: { requestLatency: [1, 2] } };
    Object.freeze(options);
    const metrics = new ServingMetrics(options);
    options.engines.push(1);
    options.buckets.requestLatency.push(3);
    expect(metrics.core.engine(0).metrics.e2eRequestLatencySeconds.cells).toHaveLength(4);
    metrics.dispose();
  });
});
