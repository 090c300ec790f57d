import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import type { PromRegistry } from '../../src/index.js';
import { Rig } from '../support/rig.js';
import { busy, names } from './busy.js';

const SUCCESS = 'vllm:request_success_total';

const STOP = 'finished_reason="stop"';

const modelsOnPage = async (rig: Rig) =>
  new Set([...(await rig.samples()).keys()].map((key) => /model_name="([^"]*)"/.exec(key)?.[1]));

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

  it('leaves engines that only it knew: their counts are the model’s, whose next instance may not be told of them', async () => {
    const rig = new Rig({ engines: [0] });
    const second = rig.sibling({ engines: [0] });
    rig.request({ engineIndex: 5 }).finish();
    rig.metrics.dispose();
    expect(await second.value(SUCCESS, 5, STOP)).toBe(1);
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
