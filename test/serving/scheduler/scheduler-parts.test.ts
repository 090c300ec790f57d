import { describe, expect, it } from 'vitest';
import { Rig } from '../../support/rig.js';
import { ABSENT, counter, INVALID, stats } from './odd-stats.js';

/** Histograms of evicted blocks by field. */
const EVICTIONS: readonly [field: string, family: string][] = [
  ['lifetimeSeconds', 'vllm:kv_block_lifetime_seconds'],
  ['idleSeconds', 'vllm:kv_block_idle_before_evict_seconds'],
];

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
    expect((await rig.samples()).size).toBe(before + 3); // the tier, the diagnostic, the engine's last step
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
    expect(rig.sources()).toEqual(['numAcceptedTokensPerPos']);
  });

  it('that are invalid add 0 at their place', async () => {
    const rig = new Rig();
    rig.stats(draft([1, -1, null, 2]));
    expect(await Promise.all([0, 1, 2, 3].map((at) => position(rig, at)))).toEqual([1, 0, 0, 2]);
    expect(rig.sources()).toEqual(['numAcceptedTokensPerPos']);
  });

  it.each([5, 'ab', {}, new Float64Array(2)])('that are no list are reported: %s', (perPos) => {
    const rig = new Rig();
    rig.stats(draft(perPos));
    expect(rig.sources()).toEqual(['numAcceptedTokensPerPos']);
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
      expect(new Set(rig.sources())).toEqual(new Set([field]));
    },
  );

  it('that are none are left out, with a diagnostic', async () => {
    const rig = new Rig();
    rig.stats(evicted(5, null, 'x', { lifetimeSeconds: 1, reuseGapsSeconds: 7 }));
    rig.stats(stats({ kvCacheEvictionEvents: {} }));
    expect(await count(rig, 'vllm:kv_block_lifetime_seconds')).toBe(1);
    const source = 'kvCacheEvictionEvents';
    expect(rig.sources()).toEqual([source, source, 'reuseGapsSeconds', source]);
  });
});
