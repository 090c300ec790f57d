import { describe, expect, it } from 'vitest';
import { Rig } from './rig.js';

const STATE = [
  'vllm:num_requests_running',
  'vllm:num_requests_waiting',
  'vllm:num_requests_waiting_by_reason',
  'vllm:kv_cache_usage_perc',
  'vllm:engine_sleep_state',
  'vllm:cache_config_info',
];
const IN_FLIGHT = 'rx_engine_metrics_requests_in_flight';
const STATS = { numRunningReqs: 3, numWaitingReqs: 2, numSkippedWaitingReqs: 1, kvCacheUsage: 0.5 };

/** Families that say what engine 0 is doing and are on the page. */
async function shown(rig: Rig, engine = 0): Promise<string[]> {
  const keys = [...(await rig.samples()).keys()].filter((key) => key.includes(`engine="${engine}"`));
  return STATE.filter((name) => keys.some((key) => key.startsWith(`${name}{`)));
}

const gauges = (rig: Rig) =>
  Promise.all([
    rig.value('vllm:num_requests_running'),
    rig.value('vllm:num_requests_waiting'),
    rig.value('vllm:num_requests_waiting_by_reason', 0, 'reason="capacity"'),
    rig.value('vllm:num_requests_waiting_by_reason', 0, 'reason="deferred"'),
    rig.value('vllm:kv_cache_usage_perc'),
    rig.value('vllm:engine_sleep_state', 0, 'sleep_state="awake"'),
  ]);

/** An engine with figures of every kind, then removed. */
function removed(): Rig {
  const rig = new Rig({ engines: [0, 1] });
  rig.stats(STATS);
  rig.metrics.setSleepState(0, 'discard_all');
  rig.metrics.setCacheConfig(0, { block_size: 16 });
  rig.request().output(1).finish({ timestamp: 1 });
  rig.metrics.removeEngine(0);
  return rig;
}

describe('removeEngine', () => {
  it('takes what the engine is doing off the page, and leaves the others', async () => {
    const rig = removed();
    expect(await shown(rig)).toEqual([]);
    expect(await shown(rig, 1)).toEqual(STATE.filter((name) => !name.includes('cache_config')));
  });

  it('keeps counters and histograms, which go on after it comes back', async () => {
    const rig = removed();
    expect(await rig.value('vllm:request_success_total', 0, 'finished_reason="stop"')).toBe(1);
    expect(await rig.value('vllm:e2e_request_latency_seconds_count')).toBe(1);
    rig.request().finish();
    expect(await rig.value('vllm:request_success_total', 0, 'finished_reason="stop"')).toBe(2);
  });

  it('takes the in-flight gauge off the page at once if it is 0', async () => {
    expect(await removed().value(IN_FLIGHT)).toBeUndefined();
    expect(await removed().value(IN_FLIGHT, 1)).toBe(0);
  });

  it('keeps the in-flight gauge until the last live request has ended', async () => {
    const rig = new Rig({ engines: [0] });
    const [first, second] = [rig.request(), rig.request()];
    rig.metrics.removeEngine(0);
    expect(await rig.value(IN_FLIGHT)).toBe(2);
    first.abort();
    expect(await rig.value(IN_FLIGHT)).toBe(1);
    second.finish();
    expect(await rig.value(IN_FLIGHT)).toBeUndefined();
    expect([await shown(rig), rig.metrics.inFlight]).toEqual([[], 0]);
  });

  it('holds for all instances of the model on the registry, their live requests too', async () => {
    const rig = new Rig({ engines: [0] });
    const second = rig.sibling({ engines: [0] });
    const live = second.request();
    second.stats(STATS);
    rig.metrics.removeEngine(0);
    expect([await shown(rig), await rig.value(IN_FLIGHT)]).toEqual([[], 1]);
    live.finish();
    expect(await rig.value(IN_FLIGHT)).toBeUndefined();
    second.stats(STATS);
    expect(await gauges(rig)).toEqual([3, 3, 2, 1, 0.5, 1]);
  });

  it("leaves another model's engine of that index alone", async () => {
    const rig = new Rig({ engines: [0] });
    const other = rig.sibling({ modelName: 'other', engines: [0] });
    other.stats(STATS);
    rig.metrics.removeEngine(0);
    const samples = await rig.samples();
    expect(samples.get('vllm:num_requests_running{engine="0",model_name="other"}')).toBe(3);
    expect(samples.get('vllm:num_requests_running{engine="0",model_name="m"}')).toBeUndefined();
  });

  it.each([7, -1, Number.NaN, '0', undefined])(
    'does nothing for an engine that is not there: %s',
    async (index) => {
      const rig = new Rig({ engines: [0] });
      const before = await rig.samples();
      rig.metrics.removeEngine(index as number);
      expect(await rig.samples()).toEqual(before);
    },
  );

  it('may be called twice', async () => {
    const rig = removed();
    rig.metrics.removeEngine(0);
    expect(await shown(rig)).toEqual([]);
  });
});

describe('a removed engine comes back', () => {
  const ways: [string, (rig: Rig) => unknown][] = [
    ['a new subscription', (rig) => rig.request()],
    ['forEngine', (rig) => rig.metrics.forEngine(0)],
    ['a second instance that lists it', (rig) => rig.sibling({ engines: [0] })],
    ["a second instance's forEngine", (rig) => rig.sibling().metrics.forEngine(0)],
  ];

  it.each(ways)('by %s: awake, without a cache config, gauges at 0', async (_, comeBack) => {
    const rig = removed();
    comeBack(rig);
    expect(await gauges(rig)).toEqual([0, 0, 0, 0, 0, 1]);
    expect(await shown(rig)).toEqual(STATE.filter((name) => !name.includes('cache_config')));
  });

  it('by new stats: awake, with their gauges', async () => {
    const rig = removed();
    rig.stats({ numRunningReqs: 1 });
    expect(await gauges(rig)).toEqual([1, 0, 0, 0, 0, 1]);
    expect(await rig.value(IN_FLIGHT)).toBe(0);
  });

  it('with its in-flight gauge, also after it had left', async () => {
    const rig = removed();
    const live = rig.request();
    expect(await rig.value(IN_FLIGHT)).toBe(1);
    live.finish();
    expect(await rig.value(IN_FLIGHT)).toBe(0);
  });

  it('and takes a cache config and a sleep state again', async () => {
    const rig = removed();
    rig.stats({});
    rig.metrics.setCacheConfig(0, { a: 1 });
    rig.metrics.setSleepState(0, 'discard_all');
    expect(await shown(rig)).toEqual(STATE);
    expect((await gauges(rig)).at(-1)).toBe(0);
  });
});

describe('a removed engine stays away', () => {
  const ways: [string, (rig: Rig) => unknown][] = [
    ['a batch without stats', (rig) => rig.batch({ outputs: [{ requestId: 'r', newTokenIds: [1] }] })],
    ['an empty batch', (rig) => rig.batch({})],
    [
      'a batch whose stats are none',
      (rig) => rig.hostile({ engineIndex: 0, outputs: [], schedulerStats: 5 }),
    ],
    ['setCacheConfig', (rig) => rig.metrics.setCacheConfig(0, { a: 1 })],
    ['setSleepState', (rig) => rig.metrics.setSleepState(0, 'awake')],
    ['recordMultiModalCache', (rig) => rig.metrics.recordMultiModalCache(0, { queries: 1, hits: 1 })],
    ['idle', (rig) => rig.metrics.idle(0)],
    ['idle of all', (rig) => rig.metrics.idle()],
    ['a second instance without a list', (rig) => rig.sibling()],
    ['a reset of the registry', (rig) => rig.registry.resetMetrics()],
  ];

  it.each(ways)('whatever comes: %s', async (_, act) => {
    const rig = removed();
    act(rig);
    expect([await shown(rig), await rig.value(IN_FLIGHT)]).toEqual([[], undefined]);
  });

  it('whatever its live requests do: outputs, events and their end', async () => {
    const rig = new Rig({ engines: [0] });
    const live = rig.request({ loraName: 'a' });
    rig.metrics.removeEngine(0);
    live.output(1, { events: [{ type: 'scheduled', timestamp: 1 }] }).finish({ timestamp: 2 });
    expect([await shown(rig), await rig.value(IN_FLIGHT)]).toEqual([[], undefined]);
    expect(await rig.value('vllm:request_success_total', 0, 'finished_reason="stop"')).toBe(1);
    expect(live.seen).toEqual(['next 1', 'next 1', 'complete']);
  });

  it('but its counters take what the setters add', async () => {
    const rig = removed();
    rig.metrics.recordMultiModalCache(0, { queries: 4, hits: 1 });
    expect(await rig.value('vllm:mm_cache_queries_total')).toBe(4);
  });
});

describe('idle', () => {
  it('sets the scheduler gauges of one engine to 0', async () => {
    const rig = new Rig({ engines: [0, 1] });
    rig.stats(STATS);
    rig.stats(STATS, 1);
    rig.metrics.setSleepState(0, 'discard_all');
    rig.metrics.idle(0);
    expect(await gauges(rig)).toEqual([0, 0, 0, 0, 0, 0]);
    expect(await rig.value('vllm:num_requests_waiting', 1)).toBe(3);
  });

  it('of all engines without an index', async () => {
    const rig = new Rig({ engines: [0, 1] });
    rig.stats(STATS);
    rig.stats(STATS, 1);
    rig.metrics.idle();
    expect(await rig.value('vllm:num_requests_running')).toBe(0);
    expect(await rig.value('vllm:kv_cache_usage_perc', 1)).toBe(0);
  });

  it.each([9, -1, Number.NaN, '0', null])(
    'does nothing for an engine that is not there: %s',
    async (index) => {
      const rig = new Rig({ engines: [0] });
      rig.stats(STATS);
      const before = await rig.samples();
      rig.metrics.idle(index as number);
      expect(await rig.samples()).toEqual(before);
    },
  );

  it('leaves counters, requests in flight and the next stats alone', async () => {
    const rig = new Rig({ engines: [0] });
    rig.request();
    rig.stats({ ...STATS, prefixCacheStats: { queries: 5, hits: 1 } });
    rig.metrics.idle();
    expect(await rig.value('vllm:prefix_cache_queries_total')).toBe(5);
    expect(await rig.value(IN_FLIGHT)).toBe(1);
    rig.stats({ ...STATS, kvCacheUsage: 2 });
    expect(await gauges(rig)).toEqual([3, 3, 2, 1, 1, 1]);
  });
});
