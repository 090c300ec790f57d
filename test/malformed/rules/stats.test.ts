/** The rules for scheduler stats, one row each. */
import { describe, expect, it } from 'vitest';
import { expectSamples } from './serve.js';
import { sendStats } from './step.js';

const bad: readonly unknown[] = [
  -1,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  1e300,
  '5',
  true,
  {},
];

describe.each([
  ['numRunningReqs', 'num_requests_running'],
  ['numWaitingReqs', 'num_requests_waiting'],
  ['numSkippedWaitingReqs', 'num_requests_waiting'],
  ['kvCacheUsage', 'kv_cache_usage_perc'],
])('the gauge of %s', (field, family) => {
  it('shows 0 when the field is absent, without a diagnostic', async () => {
    for (const absent of [{}, { [field]: undefined }, { [field]: null }]) {
      const { page, invalid } = await sendStats({ [field]: 0.5 }, absent);
      expectSamples(page, { [family]: 0 });
      expect(invalid).toEqual({});
    }
  });

  it.each(bad.filter((value) => field !== 'kvCacheUsage' || (value !== -1 && value !== 1e300)))(
    'keeps its value at %s, with a diagnostic',
    async (value) => {
      const { page, invalid } = await sendStats({ [field]: 0.5 }, { [field]: value });
      expectSamples(page, { [family]: 0.5 });
      expect(invalid).toEqual({ [field]: 1 });
    },
  );
});

it.each([
  [-1, 0],
  [1.5, 1],
  [1e300, 1],
])('clamps a KV usage of %f to %i, with a diagnostic', async (kvCacheUsage, shown) => {
  const { page, invalid } = await sendStats({ kvCacheUsage: 0.5 }, { kvCacheUsage });
  expectSamples(page, { kv_cache_usage_perc: shown });
  expect(invalid).toEqual({ kvCacheUsage: 1 });
});

describe.each([
  ['prefixCacheStats', 'queries', 'prefix_cache_queries_total'],
  ['prefixCacheStats', 'hits', 'prefix_cache_hits_total'],
  ['connectorPrefixCacheStats', 'queries', 'external_prefix_cache_queries_total'],
  ['connectorPrefixCacheStats', 'hits', 'external_prefix_cache_hits_total'],
  ['specDecodingStats', 'numDrafts', 'spec_decode_num_drafts_total'],
  ['specDecodingStats', 'numDraftTokens', 'spec_decode_num_draft_tokens_total'],
  ['specDecodingStats', 'numAcceptedTokens', 'spec_decode_num_accepted_tokens_total'],
  ['perfStats', 'numFlopsPerGpu', 'estimated_flops_per_gpu_total'],
  ['perfStats', 'numReadBytesPerGpu', 'estimated_read_bytes_per_gpu_total'],
  ['perfStats', 'numWriteBytesPerGpu', 'estimated_write_bytes_per_gpu_total'],
])('the counter of %s.%s', (struct, field, family) => {
  it('adds a count, and nothing for an absent field', async () => {
    const { page, invalid } = await sendStats(
      { [struct]: { [field]: 3 } },
      { [struct]: {} },
      { [struct]: { [field]: null } },
      { [struct]: { [field]: 4 } },
    );
    expectSamples(page, { [family]: 7 });
    expect(invalid).toEqual({});
  });

  it.each(bad)('adds 0 for %s, with a diagnostic', async (value) => {
    const { page, invalid } = await sendStats({ [struct]: { [field]: 3 } }, { [struct]: { [field]: value } });
    expectSamples(page, { [family]: 3 });
    // Fields that several structs have are told apart by theirs.
    const source = /prefixCacheStats$/iu.test(struct) ? `${struct}.${field}` : field;
    expect(invalid).toEqual({ [source]: 1 });
  });
});

it.each([
  'prefixCacheStats',
  'connectorPrefixCacheStats',
  'specDecodingStats',
  'perfStats',
  'kvConnectorStats',
  'kvCacheEvictionEvents',
])('ignores %s that are no object, with a diagnostic, and records the rest', async (struct) => {
  const { page, invalid } = await sendStats(
    { numRunningReqs: 2, [struct]: 7, kvCacheUsage: 0.5 },
    { numRunningReqs: 3, [struct]: null, kvCacheUsage: 0.75 },
  );
  expectSamples(page, { num_requests_running: 3, kv_cache_usage_perc: 0.75 });
  expect(invalid).toEqual({ [struct]: 1 });
});

it('adds preempted look-ups to nothing', async () => {
  const cache = {
    queries: 5,
    hits: 2,
    preemptedQueries: 100,
    preemptedHits: 50,
    requests: 9,
    preemptedRequests: 3,
  };
  const { page } = await sendStats({ prefixCacheStats: cache, connectorPrefixCacheStats: cache });
  expectSamples(page, {
    prefix_cache_queries_total: 5,
    prefix_cache_hits_total: 2,
    external_prefix_cache_queries_total: 5,
  });
});

describe('kvCacheEvictionEvents', () => {
  it('are three histograms, an unusable figure a sample of 0', async () => {
    const events = [
      { lifetimeSeconds: 2, idleSeconds: 1, reuseGapsSeconds: [0.5, 0.25] },
      { lifetimeSeconds: -1, idleSeconds: Number.NaN, reuseGapsSeconds: [1, '2', Number.POSITIVE_INFINITY] },
      {},
      null,
      7,
    ];
    const { page, invalid } = await sendStats({ kvCacheEvictionEvents: events });
    expectSamples(page, {
      kv_block_lifetime_seconds: [2, 2],
      kv_block_idle_before_evict_seconds: [2, 1],
      kv_block_reuse_gap_seconds: [5, 1.75],
    });
    expect(invalid).toEqual({
      lifetimeSeconds: 1,
      idleSeconds: 1,
      reuseGapsSeconds: 2,
      kvCacheEvictionEvents: 1,
    });
  });
});
