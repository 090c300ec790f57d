import { describe, expect, it } from 'vitest';
import { Rig } from '../../support/rig.js';
import { gauges, IN_FLIGHT, STATS } from './removed-engine.js';

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
