import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { sharedOf } from '../../src/prom/shared.js';
import { CATALOG } from '../../src/serving/catalog.js';
import { Rig } from './rig.js';

const SUCCESS = 'vllm:request_success_total';
const STOP = 'finished_reason="stop"';
const IN_FLIGHT = 'rx_engine_metrics_requests_in_flight';

const names = (registry: Registry) => registry.getMetricsAsArray().map(({ name }) => name);

describe('several instances on one registry', () => {
  it('of one model share families and counts', async () => {
    const rig = new Rig({ engines: [0] });
    rig.request().finish();
    const second = rig.sibling({ engines: [0] });
    second.request().finish();
    rig.request().finish();
    expect(await rig.value(SUCCESS, 0, STOP)).toBe(3);
    expect(names(rig.registry)).toHaveLength(new Set(names(rig.registry)).size);
    expect([rig.metrics.inFlight, second.metrics.inFlight]).toEqual([0, 0]);
  });

  it('of two models differ by model_name', async () => {
    const rig = new Rig({ engines: [0] });
    const other = rig.sibling({ modelName: 'other', engines: [0] });
    rig.request().finish();
    other.request();
    const samples = await rig.samples();
    expect(samples.get(`${SUCCESS}{engine="0",${STOP},model_name="m"}`)).toBe(1);
    expect(samples.get(`${SUCCESS}{engine="0",${STOP},model_name="other"}`)).toBe(0);
    expect(samples.get(`${IN_FLIGHT}{engine="0",model_name="other"}`)).toBe(1);
  });

  it('with different prefixes share the self-metrics alone', async () => {
    const rig = new Rig({ engines: [0] });
    const mine = rig.sibling({ prefix: 'mine:', engines: [0] });
    rig.request();
    mine.request();
    expect(await rig.value(IN_FLIGHT)).toBe(2);
    mine.request().finish();
    expect(await rig.value('mine:request_success_total', 0, STOP)).toBe(1);
    expect(await rig.value(SUCCESS, 0, STOP)).toBe(0);
    mine.metrics.dispose();
    expect(names(rig.registry).filter((name) => name.startsWith('mine:'))).toEqual([]);
    expect(await rig.value(IN_FLIGHT)).toBe(1);
  });

  it('keep the counts over a hot reload: the new one first, then the old one goes', async () => {
    const rig = new Rig();
    rig.request({ engineIndex: 3 }).finish();
    const live = rig.request({ engineIndex: 3 });
    const reloaded = rig.sibling();
    rig.metrics.dispose();
    live.abort();
    expect(await reloaded.value(SUCCESS, 3, STOP)).toBe(1);
    reloaded.request({ engineIndex: 3 }).finish();
    expect(await reloaded.value(SUCCESS, 3, STOP)).toBe(2);
    expect(await reloaded.value(IN_FLIGHT, 3)).toBe(0);
  });

  it('are of one model if the page cannot tell their names apart', async () => {
    const rig = new Rig({ modelName: 'a\ud800', engines: [0] });
    const second = rig.sibling({ modelName: 'a\ufffd', engines: [0] });
    const shown = async () =>
      [...(await rig.samples()).keys()].filter((key) => key.startsWith('vllm:kv_cache_usage_perc')).length;
    rig.metrics.removeEngine(0);
    expect(await shown()).toBe(0);
    second.stats({});
    expect(await shown()).toBe(1);
  });
});

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
    Object.assign(sharedOf(metric)!, { version: '0.0.9' });
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

describe('resetMetrics', () => {
  it('zeroes counters and histograms; in-flight, sleep state and cache config stay', async () => {
    const rig = new Rig({ engines: [0] });
    rig.request().finish();
    const live = rig.request({ loraName: 'a' });
    rig.stats({ numRunningReqs: -1 });
    rig.metrics.setSleepState(0, 'discard_all');
    rig.metrics.setCacheConfig(0, { a: 1 });
    rig.registry.resetMetrics();
    const left = [...(await rig.samples())].filter(([, value]) => value !== 0).map(([key]) => key);
    expect(left.sort()).toEqual([
      `${IN_FLIGHT}{engine="0",model_name="m"}`,
      'vllm:cache_config_info{a="1",engine="0"}',
      'vllm:engine_sleep_state{engine="0",model_name="m",sleep_state="discard_all"}',
      'vllm:lora_requests_info{running_lora_adapters="",waiting_lora_adapters="a"}',
    ]);
    live.finish();
    expect(await rig.value(IN_FLIGHT)).toBe(0);
    expect(await rig.value(SUCCESS, 0, STOP)).toBe(1);
  });

  it('zeroes what a removed engine keeps, too', async () => {
    const rig = new Rig({ engines: [0] });
    rig.request().finish();
    rig.metrics.removeEngine(0);
    rig.registry.resetMetrics();
    rig.metrics.forEngine(0);
    expect(await rig.value(SUCCESS, 0, STOP)).toBe(0);
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
