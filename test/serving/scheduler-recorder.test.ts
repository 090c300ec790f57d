import { describe, expect, it } from 'vitest';
import type { SchedulerStats } from '../../src/index.js';
import { Rig } from './rig.js';

/** What counts as absent, and what no figure can be. */
const ABSENT = [undefined, null];
const INVALID = [-1, Number.NaN, Infinity, -Infinity, 1e201, '3', 3n, true, {}, [3]];

const counter = (name: string) => `vllm:${name}_total`;

/** Gauges by the field that sets them: family, and one more label. */
const GAUGES: readonly [field: string, family: string, label: string][] = [
  ['numRunningReqs', 'vllm:num_requests_running', ''],
  ['numWaitingReqs', 'vllm:num_requests_waiting_by_reason', 'reason="capacity"'],
  ['numSkippedWaitingReqs', 'vllm:num_requests_waiting_by_reason', 'reason="deferred"'],
  ['kvCacheUsage', 'vllm:kv_cache_usage_perc', ''],
];

/** Counters by struct and field. */
const COUNTERS: readonly [struct: string, field: string, family: string, label: string][] = [
  ['prefixCacheStats', 'queries', counter('prefix_cache_queries'), ''],
  ['prefixCacheStats', 'hits', counter('prefix_cache_hits'), ''],
  ['connectorPrefixCacheStats', 'queries', counter('external_prefix_cache_queries'), ''],
  ['connectorPrefixCacheStats', 'hits', counter('external_prefix_cache_hits'), ''],
  ['specDecodingStats', 'numDrafts', counter('spec_decode_num_drafts'), ''],
  ['specDecodingStats', 'numDraftTokens', counter('spec_decode_num_draft_tokens'), ''],
  ['specDecodingStats', 'numAcceptedTokens', counter('spec_decode_num_accepted_tokens'), ''],
  ['perfStats', 'numFlopsPerGpu', counter('estimated_flops_per_gpu'), ''],
  ['perfStats', 'numReadBytesPerGpu', counter('estimated_read_bytes_per_gpu'), ''],
  ['perfStats', 'numWriteBytesPerGpu', counter('estimated_write_bytes_per_gpu'), ''],
];

/** Histograms of evicted blocks by field. */
const EVICTIONS: readonly [field: string, family: string][] = [
  ['lifetimeSeconds', 'vllm:kv_block_lifetime_seconds'],
  ['idleSeconds', 'vllm:kv_block_idle_before_evict_seconds'],
];

const stats = (value: unknown) => value as SchedulerStats;

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

describe('scheduler counters', () => {
  it.each(COUNTERS)('add their field: %s.%s', async (struct, field, family, label) => {
    const rig = new Rig();
    for (const value of [3, 0, 2.5]) rig.stats(stats({ [struct]: { [field]: value } }));
    expect([await rig.value(family, 0, label), rig.sources()]).toEqual([5.5, []]);
  });

  it.each(COUNTERS)(
    'add 0 for an absent field, without a diagnostic: %s.%s',
    async (struct, field, family) => {
      const rig = new Rig();
      for (const absent of ABSENT) rig.stats(stats({ [struct]: { [field]: absent } }));
      for (const absent of ABSENT) rig.stats(stats({ [struct]: absent }));
      expect([await rig.value(family), rig.sources()]).toEqual([0, []]);
    },
  );

  it.each(COUNTERS)('add 0 for an invalid one, with a diagnostic: %s.%s', async (struct, field, family) => {
    const rig = new Rig();
    for (const invalid of INVALID) rig.stats(stats({ [struct]: { [field]: invalid } }));
    expect(await rig.value(family)).toBe(0);
    expect(rig.sources()).toEqual(INVALID.map(() => `${struct}.${field}`));
  });

  it.each(COUNTERS)('record the other fields beside an invalid one: %s.%s', async (struct, field, family) => {
    const rig = new Rig();
    const good = Object.fromEntries(COUNTERS.filter(([of]) => of === struct).map(([, name]) => [name, 2]));
    rig.stats(stats({ numRunningReqs: 1, [struct]: { ...good, [field]: -1 } }));
    for (const [of, name, its] of COUNTERS) {
      if (of === struct) expect(await rig.value(its), name).toBe(its === family ? 0 : 2);
    }
  });

  it.each([
    'prefixCacheStats',
    'connectorPrefixCacheStats',
    'specDecodingStats',
    'perfStats',
    'kvConnectorStats',
  ])('report a struct that is none and go on: %s', async (struct) => {
    const rig = new Rig();
    for (const value of [5, 'x', true]) rig.stats(stats({ [struct]: value, numRunningReqs: 4 }));
    expect(rig.sources()).toEqual([struct, struct, struct]);
    expect(await rig.value('vllm:num_requests_running')).toBe(4);
  });

  it("count local hits under the device's tier, and leave preempted look-ups out", async () => {
    const rig = new Rig();
    rig.stats({
      prefixCacheStats: { requests: 9, queries: 10, hits: 4, preemptedQueries: 50, preemptedHits: 20 },
    });
    expect(await rig.value(counter('prefix_cache_queries'))).toBe(10);
    expect(await rig.value(counter('prompt_tokens_cached_by_source'), 0, 'source="device"')).toBe(4);
  });
});

describe('cache tiers of a connector', () => {
  const tier = (rig: Rig, source: string) =>
    rig.value(counter('prompt_tokens_cached_by_source'), 0, `source="${source}"`);

  it.each(['device', 'host', 'p2p', 'disk', 'external_unspecified'])(
    'are counted by name: %s',
    async (source) => {
      const rig = new Rig();
      rig.stats({ connectorPrefixCacheStats: { hitsBySource: { [source]: 6 } } });
      expect([await tier(rig, source), rig.sources()]).toEqual([6, []]);
    },
  );

  it('that are unknown are counted under other, with a diagnostic, and grow nothing', async () => {
    const rig = new Rig();
    const before = (await new Rig({ engines: [0] }).samples()).size;
    const flood = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`tier${i}`, 1]));
    rig.stats({ connectorPrefixCacheStats: { hitsBySource: flood } });
    expect(await tier(rig, 'other')).toBe(500);
    expect(rig.diagnostics.map(({ value }) => value).slice(0, 2)).toEqual(['tier0', 'tier1']);
    expect((await rig.samples()).size).toBe(before + 2);
  });

  it.each(['constructor', 'toString', 'external_unspecified2', ''])(
    'that look inherited are other: %j',
    async (source) => {
      const rig = new Rig();
      rig.stats({ connectorPrefixCacheStats: { hitsBySource: { [source]: 2 } } });
      expect(await tier(rig, 'other')).toBe(2);
    },
  );

  it('with an invalid count add 0', async () => {
    const rig = new Rig();
    rig.stats(stats({ connectorPrefixCacheStats: { hitsBySource: { host: -1, disk: 3 } } }));
    expect([await tier(rig, 'host'), await tier(rig, 'disk')]).toEqual([0, 3]);
    expect(rig.sources()).toEqual(['connectorPrefixCacheStats.hitsBySource']);
  });

  it('that are no map are reported', () => {
    const rig = new Rig();
    rig.stats(stats({ connectorPrefixCacheStats: { hitsBySource: 5 } }));
    expect(rig.sources()).toEqual(['connectorPrefixCacheStats.hitsBySource']);
  });
});

describe('draft positions', () => {
  const position = (rig: Rig, at: number) =>
    rig.value(counter('spec_decode_num_accepted_tokens_per_pos'), 0, `position="${at}"`);
  const draft = (perPos: unknown) => stats({ specDecodingStats: { numAcceptedTokensPerPos: perPos } });

  it('come with their first use and stay', async () => {
    const rig = new Rig({ engines: [0] });
    expect(await position(rig, 0)).toBeUndefined();
    rig.stats(draft([3, 2]));
    rig.stats(draft([1]));
    rig.stats(draft([1, 1, 1]));
    expect(await Promise.all([0, 1, 2, 3].map((at) => position(rig, at)))).toEqual([5, 3, 1, undefined]);
  });

  it('go from 0 to 255; beyond that they are ignored with a diagnostic', async () => {
    const rig = new Rig();
    rig.stats(draft(Array.from({ length: 256 }, () => 1)));
    expect([await position(rig, 255), rig.sources()]).toEqual([1, []]);
    rig.stats(draft(Array.from({ length: 100_000 }, () => 1)));
    expect([await position(rig, 255), await position(rig, 256)]).toEqual([2, undefined]);
    expect(rig.sources()).toEqual(['specDecodingStats.numAcceptedTokensPerPos']);
  });

  it('that are invalid add 0 at their place', async () => {
    const rig = new Rig();
    rig.stats(draft([1, -1, null, 2]));
    expect(await Promise.all([0, 1, 2, 3].map((at) => position(rig, at)))).toEqual([1, 0, 0, 2]);
    expect(rig.sources()).toEqual(['specDecodingStats.numAcceptedTokensPerPos']);
  });

  it.each([5, 'ab', {}, new Float64Array(2)])('that are no list are reported: %s', (perPos) => {
    const rig = new Rig();
    rig.stats(draft(perPos));
    expect(rig.sources()).toEqual(['specDecodingStats.numAcceptedTokensPerPos']);
  });
});

describe('evicted KV blocks', () => {
  const count = (rig: Rig, family: string) => rig.value(`${family}_count`);
  const sum = (rig: Rig, family: string) => rig.value(`${family}_sum`);
  const evicted = (...events: unknown[]) => stats({ kvCacheEvictionEvents: events });

  it.each(EVICTIONS)('give one sample each: %s', async (field, family) => {
    const rig = new Rig();
    rig.stats(evicted({ [field]: 1.5 }, { [field]: 0.5 }));
    expect([await count(rig, family), await sum(rig, family)]).toEqual([2, 2]);
  });

  it('give one sample per gap', async () => {
    const rig = new Rig();
    rig.stats(evicted({ reuseGapsSeconds: [1, 2, 3] }, { reuseGapsSeconds: [] }));
    const family = 'vllm:kv_block_reuse_gap_seconds';
    expect([await count(rig, family), await sum(rig, family)]).toEqual([3, 6]);
  });

  it.each(EVICTIONS)(
    'give no sample for an absent field, one of 0 for an invalid one: %s',
    async (field, family) => {
      const rig = new Rig();
      for (const absent of ABSENT) rig.stats(evicted({ [field]: absent }));
      expect([await count(rig, family), rig.sources()]).toEqual([0, []]);
      for (const invalid of INVALID) rig.stats(evicted({ [field]: invalid }));
      expect([await count(rig, family), await sum(rig, family)]).toEqual([INVALID.length, 0]);
      expect(new Set(rig.sources())).toEqual(new Set([`kvCacheEvictionEvents.${field}`]));
    },
  );

  it('that are none are left out, with a diagnostic', async () => {
    const rig = new Rig();
    rig.stats(evicted(5, null, 'x', { lifetimeSeconds: 1, reuseGapsSeconds: 7 }));
    rig.stats(stats({ kvCacheEvictionEvents: {} }));
    expect(await count(rig, 'vllm:kv_block_lifetime_seconds')).toBe(1);
    const source = 'kvCacheEvictionEvents';
    expect(rig.sources()).toEqual([source, source, `${source}.reuseGapsSeconds`, source]);
  });
});

describe('fields nobody exports', () => {
  it('are ignored without a diagnostic', async () => {
    const rig = new Rig({ engines: [0] });
    const before = await rig.samples();
    rig.stats(
      stats({
        ...{
          stepCounter: -1,
          currentWave: 'x',
          iterationDetails: 5,
          cudagraphStats: 'x',
          ecConnectorStats: 1,
        },
        ...{
          numKvFetchReqsByStage: 7,
          waitingLoraAdapters: { a: 1 },
          runningLoraAdapters: 5,
          newer: Number.NaN,
        },
      }),
    );
    expect([await rig.samples(), rig.sources()]).toEqual([before, []]);
  });
});
