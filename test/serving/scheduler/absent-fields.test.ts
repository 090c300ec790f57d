/** Fields of a step that are left out or nil say nothing; those at the edge of what is taken count. */
import { expect, it } from 'vitest';
import type { SchedulerStats } from '../../../src/index.js';
import { Rig } from '../../support/rig.js';

const ABSENT = [null, undefined];

it.each(ABSENT)('stats whose structs are %s say nothing', (nil) => {
  const rig = new Rig();
  rig.stats({
    ...{ prefixCacheStats: nil, connectorPrefixCacheStats: nil, specDecodingStats: nil, perfStats: nil },
    ...{ kvCacheEvictionEvents: nil, kvConnectorStats: nil, kvCacheUsage: nil, numRunningReqs: nil },
  });
  rig.stats({
    prefixCacheStats: { queries: nil, hits: nil },
    connectorPrefixCacheStats: { queries: nil, hits: nil, hitsBySource: nil },
    specDecodingStats: { numDrafts: nil, numAcceptedTokensPerPos: nil },
    perfStats: { numFlopsPerGpu: nil },
    kvCacheEvictionEvents: [{ lifetimeSeconds: nil, idleSeconds: nil, reuseGapsSeconds: nil }],
  });
  expect(rig.diagnostics).toEqual([]);
});

it('a step samples its tokens and the prompts it computed', async () => {
  const rig = new Rig();
  const outputs = [
    { newTokenIds: [1, 2], prefillStats: null },
    null,
    undefined,
    { newTokenIds: 'xyz', prefillStats: { numComputedTokens: 5 } },
    { newTokenIds: undefined, prefillStats: { numComputedTokens: -1 } },
  ];
  rig.batch({ outputs: outputs as never });
  expect(await rig.value('vllm:iteration_tokens_total_sum')).toBe(7);
  expect(await rig.value('vllm:iteration_tokens_total_count')).toBe(1);
  expect(rig.diagnostics).toEqual([]);
});

it.each([
  [0, 0, []],
  [1, 1, []],
  [1e-300, 1e-300, []],
  [1.5, 1, ['kvCacheUsage']],
  [-1e-9, 0, ['kvCacheUsage']],
  [Infinity, 0.5, ['kvCacheUsage']],
])('a share of %d shows as %d', async (kvCacheUsage, shown, sources) => {
  const rig = new Rig();
  rig.stats({ kvCacheUsage: 0.5 });
  rig.stats({ kvCacheUsage });
  expect(await rig.value('vllm:kv_cache_usage_perc')).toBe(shown);
  expect(rig.sources()).toEqual(sources);
});

it.each([
  [0, 0, []],
  [1e200, 1e200, []],
  [2e200, 0, ['numRunningReqs', 'prefixCacheStats.queries', 'numDrafts', 'lifetimeSeconds']],
])('a figure of %d counts as %d', async (figure, taken, sources) => {
  const rig = new Rig();
  rig.stats({
    numRunningReqs: figure,
    prefixCacheStats: { queries: figure },
    specDecodingStats: { numDrafts: figure },
    kvCacheEvictionEvents: [{ lifetimeSeconds: figure }],
  } satisfies SchedulerStats);
  const figures = await Promise.all(
    [
      'vllm:num_requests_running',
      'vllm:prefix_cache_queries_total',
      'vllm:spec_decode_num_drafts_total',
      'vllm:kv_block_lifetime_seconds_sum',
    ].map((name) => rig.value(name)),
  );
  expect(figures).toEqual([taken, taken, taken, taken]);
  expect(rig.sources()).toEqual(sources);
});

it('256 positions of drafts are as many as are followed', async () => {
  const rig = new Rig();
  rig.stats({ specDecodingStats: { numAcceptedTokensPerPos: Array.from({ length: 256 }, (_, i) => i) } });
  const family = await rig.family('vllm:spec_decode_num_accepted_tokens_per_pos_total');
  expect(Object.values(family).sort((a, b) => a - b)).toEqual(Array.from({ length: 256 }, (_, i) => i));
  expect(rig.diagnostics).toEqual([]);
});
