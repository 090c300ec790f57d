import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import type { PromRegistry } from '../../src/index.js';
import { statsLog } from '../../src/index.js';
import { Rig } from './rig.js';

const SUCCESS = 'vllm:request_success_total';
const STOP = 'finished_reason="stop"';
const IN_FLIGHT = 'rx_engine_metrics_requests_in_flight';
const LORA = 'vllm:lora_requests_info';

const names = (rig: Rig) => rig.registry.getMetricsAsArray().map(({ name }) => name);
const modelsOnPage = async (rig: Rig) =>
  new Set([...(await rig.samples()).keys()].map((key) => /model_name="([^"]*)"/.exec(key)?.[1]));

/** An instance with figures of every kind. */
function busy(rig: Rig): Rig {
  rig.request().finish();
  rig.stats({ numRunningReqs: 1, specDecodingStats: { numAcceptedTokensPerPos: [1, 2] } });
  rig.stats({
    connectorPrefixCacheStats: { hitsBySource: { tape: 3 } },
    kvConnectorStats: { save_put: [{ durationSeconds: 1 }] },
  });
  rig.stats({ kvCacheUsage: Number.NaN });
  rig.metrics.setCacheConfig(0, { a: 1 });
  return rig;
}

describe('dispose', () => {
  it('takes all families off the registry if nobody else uses them', async () => {
    const rig = busy(new Rig({ engines: [0, 1] }));
    rig.metrics.dispose();
    expect([names(rig), (await rig.samples()).size]).toEqual([[], 0]);
  });

  it("takes its model's label sets off the page and leaves another model's", async () => {
    const rig = busy(new Rig({ engines: [0] }));
    const other = busy(rig.sibling({ modelName: 'other', engines: [0] }));
    rig.metrics.dispose();
    expect(await modelsOnPage(other)).toEqual(new Set(['other', undefined]));
    expect(await other.family('vllm:cache_config_info')).toEqual({ '{a="1",engine="0"}': 1 });
  });

  it('leaves label sets that another live instance of the model shares', async () => {
    const rig = busy(new Rig({ engines: [0] }));
    const second = rig.sibling({ engines: [0] });
    rig.metrics.dispose();
    expect(await second.value(SUCCESS, 0, STOP)).toBe(1);
    second.request().finish();
    expect(await second.value(SUCCESS, 0, STOP)).toBe(2);
    second.metrics.dispose();
    expect((await rig.samples()).size).toBe(0);
  });

  it('takes engines off that only it knew', async () => {
    const rig = new Rig({ engines: [0] });
    const second = rig.sibling({ engines: [0] });
    rig.request({ engineIndex: 5 }).finish();
    rig.metrics.dispose();
    expect(await second.value(SUCCESS, 5, STOP)).toBeUndefined();
    expect(await second.value(SUCCESS, 0, STOP)).toBe(0);
  });

  it('may be called twice, and gives nothing back twice', async () => {
    const rig = busy(new Rig({ engines: [0] }));
    const second = rig.sibling({ engines: [0] });
    rig.metrics.dispose();
    rig.metrics.dispose();
    expect(await second.value(SUCCESS, 0, STOP)).toBe(1);
  });

  it('allows a reload with other buckets', async () => {
    const rig = busy(new Rig({ engines: [0] }));
    rig.metrics.dispose();
    const reloaded = rig.sibling({ engines: [0], buckets: { requestLatency: [7] } });
    expect(await reloaded.value('vllm:e2e_request_latency_seconds_bucket', 0, 'le="7.0"')).toBe(0);
    expect(await reloaded.value(SUCCESS, 0, STOP)).toBe(0);
  });

  it('makes kept handles silent, of all types', async () => {
    const rig = new Rig({ engines: [0] });
    const second = rig.sibling({ engines: [0] });
    const kept = rig.metrics.forEngine(0);
    rig.metrics.dispose();
    const before = await second.samples();
    kept.generationTokens.inc(5);
    kept.requestSuccess.stop.inc();
    kept.kvCacheUsagePerc.set(0.5);
    kept.requestsInFlight.set(9);
    kept.timeToFirstTokenSeconds.observe(1);
    expect(await second.samples()).toEqual(before);
  });

  it('makes everything else on it a silent no-op', async () => {
    const rig = new Rig({ engines: [0] });
    const second = rig.sibling({ engines: [0] });
    second.stats({ numRunningReqs: 2 });
    rig.metrics.dispose();
    const before = await second.samples();
    rig.metrics.setSleepState(0, 'discard_all');
    rig.metrics.setCacheConfig(0, { a: 1 });
    rig.metrics.recordMultiModalCache(0, { queries: -1, hits: 3 });
    rig.metrics.removeEngine(0);
    rig.metrics.idle();
    rig.metrics.forEngine(0).numPreemptions.inc();
    rig.metrics.forEngine(8).numPreemptions.inc();
    rig.stats({ numRunningReqs: -1, kvCacheUsage: 1, specDecodingStats: { numAcceptedTokensPerPos: [1] } });
    rig.request({ loraName: 'a', maxTokens: -1 }).output(1).finish();
    expect(await second.samples()).toEqual(before);
    expect([rig.metrics.inFlight, rig.diagnostics]).toEqual([0, []]);
  });
});

describe('dispose while requests are live', () => {
  it('takes its own share off the in-flight gauge, once', async () => {
    const rig = new Rig({ engines: [0] });
    const second = rig.sibling({ engines: [0] });
    const live = [rig.request(), rig.request()];
    const other = second.request();
    expect(await second.value(IN_FLIGHT)).toBe(3);
    rig.metrics.dispose();
    expect([rig.metrics.inFlight, second.metrics.inFlight]).toEqual([0, 1]);
    expect(await second.value(IN_FLIGHT)).toBe(1);
    live[0]!.finish();
    live[1]!.abort();
    expect(await second.value(IN_FLIGHT)).toBe(1);
    other.finish();
    expect(await second.value(IN_FLIGHT)).toBe(0);
  });

  it('lets their streams go on unchanged, and records nothing of them', async () => {
    const rig = new Rig({ engines: [0] });
    const second = rig.sibling({ engines: [0] });
    const live = rig.request().output(1);
    const before = await second.samples();
    rig.metrics.dispose();
    live.output(2, { timestamp: 1 }).finish({ timestamp: 2 });
    expect(live.seen).toEqual(['next 1', 'next 2', 'next 1', 'complete']);
    const after = await second.samples();
    expect(after).toEqual(new Map(before).set(`${IN_FLIGHT}{engine="0",model_name="m"}`, 0));
  });

  it('takes them out of the LoRA sets', async () => {
    const rig = new Rig();
    const other = rig.sibling({ modelName: 'other' });
    const live = rig.request({ loraName: 'a' });
    other.request({ loraName: 'b' });
    rig.metrics.dispose();
    const key = '{running_lora_adapters="",waiting_lora_adapters="b"}';
    expect(Object.keys(await other.family(LORA))).toEqual([key]);
    live.output(1, { events: [{ type: 'scheduled', timestamp: 0 }] }).finish();
    expect(Object.keys(await other.family(LORA))).toEqual([key]);
  });

  it("removes a removed engine's in-flight gauge when its last requests were the disposed instance's", async () => {
    const rig = new Rig({ engines: [0] });
    const second = rig.sibling({ engines: [0] });
    rig.request();
    second.metrics.removeEngine(0);
    expect(await second.value(IN_FLIGHT)).toBe(1);
    rig.metrics.dispose();
    expect(await second.value(IN_FLIGHT)).toBeUndefined();
  });

  it('completes finishedRequests and statsLog, for later subscribers too', () => {
    const rig = new Rig({ engines: [0] });
    const seen: string[] = [];
    const observer = (name: string) => ({ complete: () => seen.push(name) });
    rig.metrics.finishedRequests.subscribe(observer('finished'));
    statsLog(rig.metrics).subscribe(observer('log'));
    expect(seen).toEqual([]);
    rig.metrics.dispose();
    expect(seen.sort()).toEqual(['finished', 'log']);
    rig.metrics.finishedRequests.subscribe(observer('later'));
    expect(seen).toContain('later');
  });

  it('may come from inside a record', async () => {
    const rig = new Rig({ engines: [0] });
    rig.metrics.finishedRequests.subscribe(() => rig.metrics.dispose());
    const live = rig.request();
    live.finish();
    expect(live.seen).toEqual(['next 1', 'complete']);
    expect([names(rig), rig.metrics.inFlight]).toEqual([[], 0]);
  });
});

describe('a registry without removeSingleMetric', () => {
  it('keeps the families without label sets, and takes a reload with the same buckets', async () => {
    const full = new Registry();
    const registry: PromRegistry = {
      registerMetric: (metric) => full.registerMetric(metric),
      getSingleMetric: (name) => full.getSingleMetric(name),
      getMetricsAsJSON: () => full.getMetricsAsJSON(),
      contentType: full.contentType,
    };
    const rig = busy(new Rig({ registry, engines: [0] }));
    rig.metrics.dispose();
    expect((await rig.samples()).size).toBe(0);
    const reloaded = new Rig({ registry, engines: [0] });
    expect(await reloaded.value(SUCCESS, 0, STOP)).toBe(0);
  });
});
