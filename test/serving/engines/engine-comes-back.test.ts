import { describe, expect, it } from 'vitest';
import { Rig } from '../../support/rig.js';
import { gauges, IN_FLIGHT, removed, STATE, shown } from './removed-engine.js';

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

  it('awake, gauges at 0, whatever stats came meanwhile; then it takes new ones', async () => {
    const rig = removed();
    rig.stats({ numRunningReqs: 1, kvCacheUsage: 0.5 });
    rig.metrics.forEngine(0);
    expect(await gauges(rig)).toEqual([0, 0, 0, 0, 0, 1]);
    expect(await rig.value(IN_FLIGHT)).toBe(0);
    rig.stats({ numRunningReqs: 1 });
    expect(await gauges(rig)).toEqual([1, 0, 0, 0, 0, 1]);
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
    rig.metrics.forEngine(0);
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

  it('whatever a disposed instance of its model is asked', async () => {
    const rig = new Rig({ engines: [0] });
    const second = rig.sibling({ engines: [0] });
    rig.metrics.dispose();
    second.metrics.removeEngine(0);
    rig.metrics.forEngine(0);
    rig.request();
    rig.stats({ numRunningReqs: 1 });
    expect([await shown(second), await second.value(IN_FLIGHT)]).toEqual([[], undefined]);
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
