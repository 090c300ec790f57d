import { describe, expect, it } from 'vitest';
import { Rig } from '../../support/rig.js';
import { ABSENT, INVALID, stats } from './odd-stats.js';

/** Gauges by the field that sets them: family, and one more label. */
const GAUGES: readonly [field: string, family: string, label: string][] = [
  ['numRunningReqs', 'vllm:num_requests_running', ''],
  ['numWaitingReqs', 'vllm:num_requests_waiting_by_reason', 'reason="capacity"'],
  ['numSkippedWaitingReqs', 'vllm:num_requests_waiting_by_reason', 'reason="deferred"'],
  ['kvCacheUsage', 'vllm:kv_cache_usage_perc', ''],
];

describe('scheduler gauges', () => {
  it.each(GAUGES)('take their field: %s', async (field, family, label) => {
    const rig = new Rig();
    for (const value of [1, 0.5, 0]) {
      rig.stats(stats({ [field]: value }));
      expect(await rig.value(family, 0, label)).toBe(value);
    }
  });

  it.each(GAUGES)('show 0 for an absent field, without a diagnostic: %s', async (field, family, label) => {
    for (const absent of ABSENT) {
      const rig = new Rig();
      rig.stats(stats({ [field]: 1 }));
      rig.stats(stats({ [field]: absent }));
      expect([await rig.value(family, 0, label), rig.sources()]).toEqual([0, []]);
    }
  });

  it.each(GAUGES.slice(0, 3))(
    'keep their value on an invalid one, with a diagnostic: %s',
    async (field, family, label) => {
      for (const invalid of INVALID) {
        const rig = new Rig();
        rig.stats(stats({ [field]: 7 }));
        rig.stats(stats({ [field]: invalid }));
        expect([await rig.value(family, 0, label), rig.diagnostics]).toEqual([
          7,
          [{ source: field, message: expect.stringMatching(/^expected /), value: invalid, engineIndex: 0 }],
        ]);
      }
    },
  );

  it.each([
    [1.5, 1],
    [1e300, 1],
    [-0.1, 0],
    [Number.NaN, 0.25],
    [Infinity, 0.25],
    [-Infinity, 0.25],
    ['0.5', 0.25],
    [{}, 0.25],
  ])('hold KV usage to 0..1: %s', async (usage, expected) => {
    const rig = new Rig();
    rig.stats({ kvCacheUsage: 0.25 });
    rig.stats(stats({ kvCacheUsage: usage }));
    expect([await rig.value('vllm:kv_cache_usage_perc'), rig.sources()]).toEqual([
      expected,
      ['kvCacheUsage'],
    ]);
  });

  it('wait for capacity and deferred add up to waiting, also when one keeps its value', async () => {
    const rig = new Rig();
    const waiting = () => rig.value('vllm:num_requests_waiting');
    rig.stats({ numWaitingReqs: 3, numSkippedWaitingReqs: 2 });
    expect(await waiting()).toBe(5);
    rig.stats(stats({ numWaitingReqs: -1, numSkippedWaitingReqs: 4 }));
    expect(await waiting()).toBe(7);
    rig.stats({ numSkippedWaitingReqs: 1 });
    expect(await waiting()).toBe(1);
  });
});
