import { describe, expect, it } from 'vitest';
import { Rig } from '../../support/rig.js';
import { ABSENT, counter, INVALID, stats } from './odd-stats.js';

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
    // A field that several structs have is named with its struct.
    const source = field === 'hits' || field === 'queries' ? `${struct}.${field}` : field;
    expect(rig.sources()).toEqual(INVALID.map(() => source));
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
          waitingLoraAdapters: { a: 1 },
          runningLoraAdapters: 5,
          newer: Number.NaN,
        },
      }),
    );
    const after = [...(await rig.samples())].filter(([key]) => !key.includes('last_step'));
    expect([after, rig.sources()]).toEqual([[...before], []]);
  });
});
