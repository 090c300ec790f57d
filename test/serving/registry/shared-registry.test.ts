import type { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { Rig } from '../../support/rig.js';

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

  it('with different prefixes show a live request also where the other one has removed its engine', async () => {
    const rig = new Rig({ engines: [0] });
    const mine = rig.sibling({ prefix: 'mine:', engines: [0] });
    rig.metrics.removeEngine(0);
    const live = mine.request();
    expect(await rig.value(IN_FLIGHT)).toBe(1);
    live.finish();
    expect(await rig.value(IN_FLIGHT)).toBe(0);
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
    second.metrics.forEngine(0);
    expect(await shown()).toBe(1);
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
      'rx_engine_metrics_engine_last_step_timestamp_seconds{engine="0",model_name="m"}',
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
