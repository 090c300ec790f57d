import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { acquireFamilies } from '../../../src/prom/register.js';
import { registeredFamilyOf } from '../../../src/prom/registered-family.js';
import { CATALOG } from '../../../src/serving/catalog/catalog.js';
import { Rig } from '../../support/rig.js';

const SUCCESS = 'vllm:request_success_total';

const names = (registry: Registry) => registry.getMetricsAsArray().map(({ name }) => name);

/** What may stand under one of our names before us. */
const CONFLICTS: readonly [
  what: string,
  family: string,
  put: (registry: Registry) => unknown,
  message: RegExp,
][] = [
  [
    'a metric of another owner under a counter',
    'vllm:generation_tokens_total',
    (registry) => new Counter({ name: 'vllm:generation_tokens_total', help: 'h', registers: [registry] }),
    /^vllm:generation_tokens_total: expected a family of rx-engine-metrics, got a metric of another owner$/,
  ],
  [
    'a gauge of another owner under a gauge',
    'vllm:kv_cache_usage_perc',
    (registry) => new Gauge({ name: 'vllm:kv_cache_usage_perc', help: 'h', registers: [registry] }),
    /^vllm:kv_cache_usage_perc: expected a family of rx-engine-metrics, got a metric of another owner$/,
  ],
  [
    'a histogram of another owner under the last row',
    'rx_engine_metrics_invalid_values_total',
    (registry) =>
      new Histogram({ name: 'rx_engine_metrics_invalid_values_total', help: 'h', registers: [registry] }),
    /^rx_engine_metrics_invalid_values_total: expected a family of rx-engine-metrics/,
  ],
  [
    'a metric of another owner under the LoRA family',
    'vllm:lora_requests_info',
    (registry) => new Gauge({ name: 'vllm:lora_requests_info', help: 'h', registers: [registry] }),
    /^vllm:lora_requests_info: expected a family of rx-engine-metrics/,
  ],
];

describe('a family whose name is taken', () => {
  it.each(CONFLICTS)(
    'by %s gives one clear error, and nothing is registered',
    async (_, name, put, message) => {
      const registry = new Registry();
      put(registry);
      const page = await registry.metrics();
      expect(() => new Rig({ registry, engines: [0] })).toThrow(message);
      expect(names(registry)).toEqual([name]);
      expect(await registry.metrics()).toBe(page);
    },
  );

  it('by ours with other buckets names family and difference, and leaves the first as it was', async () => {
    const rig = new Rig({ engines: [0] });
    const before = await rig.registry.metrics();
    const second = () =>
      rig.sibling({ modelName: 'other', engines: [0], buckets: { requestLatency: [1, 2] } });
    expect(second).toThrow(
      /^vllm:e2e_request_latency_seconds: expected buckets 1, 2, got 0\.3, 0\.5, .*, 7680$/,
    );
    expect(await rig.registry.metrics()).toBe(before);
  });

  it('by ours with other token buckets says so: maxModelLen differs', () => {
    const rig = new Rig();
    expect(() => rig.sibling({ maxModelLen: 10 })).toThrow(
      /^vllm:request_prompt_tokens: expected buckets 1, 2, 5, 10, got 1, 2, 5, 10, 20/,
    );
  });

  it('by ours of another version says so', () => {
    const rig = new Rig();
    const metric = rig.registry.getSingleMetric(SUCCESS);
    Object.assign(registeredFamilyOf(metric)!, { version: '0.0.9' });
    expect(() => rig.sibling()).toThrow(
      /^vllm:request_success_total: expected version \d+\.\d+\.\d+ of rx-engine-metrics, got version 0\.0\.9$/,
    );
  });

  it('leaves no trace of an instance that failed: the first may go as if it had never been', async () => {
    const rig = new Rig({ engines: [0] });
    expect(() => rig.sibling({ buckets: { requestTokens: [1] } })).toThrow();
    rig.metrics.dispose();
    expect(names(rig.registry)).toEqual([]);
  });

  it('is rolled back if the registry throws half way', () => {
    const registry = new Registry();
    let left = 10;
    const register = registry.registerMetric.bind(registry);
    registry.registerMetric = (metric) => {
      if (left-- === 0) throw new Error('full');
      register(metric);
    };
    expect(() => new Rig({ registry })).toThrow('full');
    expect(names(registry)).toEqual([]);
    registry.registerMetric = register;
    expect(() => new Rig({ registry })).not.toThrow();
  });
});

describe('every family', () => {
  it.each(Object.values(CATALOG).map(({ name }) => `vllm:${name}`))(
    'is refused under a taken name: %s',
    (name) => {
      const registry = new Registry();
      new Gauge({ name, help: 'h', registers: [registry] });
      expect(() => new Rig({ registry })).toThrow(`${name}: expected a family of rx-engine-metrics`);
      expect(names(registry)).toEqual([name]);
    },
  );
});

/** As another version might have left it. */
it.each([
  ['vllm:lora_requests_info', 'max_lora, waiting_lora_adapters, running_lora_adapters'],
  ['vllm:cache_config_info', 'engine'],
])('a family of ours with other labels is refused by name: %s', (name, labels) => {
  const registry = new Registry();
  const descriptor = { name, help: 'h', type: 'gauge', aggregator: 'max', upperBounds: [] } as const;
  acquireFamilies(registry, [{ descriptor: { ...descriptor, labelNames: ['x'] } }], {});
  expect(() => new Rig({ registry })).toThrow(`${name}: expected labels ${labels}, got x`);
  expect(registry.getMetricsAsArray().map((metric) => metric.name)).toEqual([name]);
});
