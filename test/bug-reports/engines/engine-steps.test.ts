/** What engines' steps may hold, and how they may arrive. */
import { expect, it, vi } from 'vitest';
import { Rig } from '../../support/rig.js';

const LAST_STEP = 'rx_engine_metrics_engine_last_step_timestamp_seconds';

/*
 * https://github.com/vllm-project/vllm/issues/38862, https://github.com/vllm-project/vllm/issues/39863
 * An engine hangs and nothing on the page says so: its gauges show what they showed last.
 */
it('the last-step gauge tells when an engine last made a step, and nothing before the first', async () => {
  const rig = new Rig({ engines: [0, 1] });
  const now = vi.spyOn(Date, 'now').mockReturnValue(1_700_000_000_500);
  expect(await rig.family(LAST_STEP)).toEqual({});
  rig.batch({ outputs: [] });
  now.mockReturnValue(1_700_000_009_000);
  rig.stats({ numRunningReqs: 1 }, 1);
  now.mockRestore();
  expect([await rig.value(LAST_STEP, 0), await rig.value(LAST_STEP, 1)]).toEqual([
    1_700_000_000.5, 1_700_000_009,
  ]);
});

/*
 * https://github.com/kriszyp/msgpackr#options
 * msgpackr decodes 64-bit integers as bigints: MFU, bytes and queries stayed 0.
 */
it('counts, gauges, shares and samples that are bigints are numbers', async () => {
  const rig = new Rig();
  const stats = {
    numRunningReqs: 3n,
    kvCacheUsage: 1n,
    prefixCacheStats: { queries: 100n, hits: 2n ** 60n },
    connectorPrefixCacheStats: { queries: 7n, hits: 6n, hitsBySource: { host: 5n } },
    specDecodingStats: { numSpecTokens: 2n, numDrafts: 4n, numAcceptedTokensPerPos: [3n, 1n] },
    perfStats: { numFlopsPerGpu: 10n ** 18n, numReadBytesPerGpu: 2n, numWriteBytesPerGpu: 1n },
    kvCacheEvictionEvents: [{ lifetimeSeconds: 2n, idleSeconds: 1n, reuseGapsSeconds: [1n] }],
    numKvFetchReqsByStage: { in_progress: 2n },
  };
  rig.hostile({ engineIndex: 0, timestamp: 0, outputs: [], schedulerStats: stats });
  const shown = async (...names: readonly string[]) =>
    Promise.all(names.map((name) => rig.value(`vllm:${name}`)));
  expect(await shown('num_requests_running', 'kv_cache_usage_perc')).toEqual([3, 1]);
  expect(await shown('prefix_cache_queries_total', 'prefix_cache_hits_total')).toEqual([100, 2 ** 60]);
  expect(await shown('external_prefix_cache_queries_total', 'spec_decode_num_drafts_total')).toEqual([7, 4]);
  expect(await shown('estimated_flops_per_gpu_total', 'kv_block_lifetime_seconds_sum')).toEqual([1e18, 2]);
  expect(await rig.value('vllm:num_requests_kv_fetch_by_stage', 0, 'stage="in_progress"')).toBe(2);
  expect(rig.sources()).toEqual([]);
});

/*
 * A finding of our own: two subscribers of one scheduler operator recorded every step twice, 20 queries for 10.
 */
it('a step that arrives again right after itself counts once, on whichever instance of the model', async () => {
  const rig = new Rig();
  const second = rig.sibling();
  const other = rig.sibling({ modelName: 'other' });
  const step = {
    engineIndex: 0,
    timestamp: 1,
    outputs: [],
    schedulerStats: { prefixCacheStats: { queries: 10 } },
  };
  for (const each of [rig, rig, second, other]) each.hostile(step);
  const queries = 'vllm:prefix_cache_queries_total';
  expect(await rig.family(queries)).toEqual({
    '{engine="0",model_name="m"}': 10,
    '{engine="0",model_name="other"}': 10,
  });
  rig.hostile({ ...step });
  expect(await rig.value(queries)).toBe(20);
});

/*
 * A finding of our own: `new_token_ids`, the wire's arrays and snake_case stats gave 0 everywhere and no diagnostic.
 */
it.each([
  ['an output in snake_case', { outputs: [{ request_id: 'a', new_token_ids: [1] }] }, ['outputs']],
  ["an output as the wire's array", { outputs: [['a', [1]]] }, ['outputs']],
  ['stats in snake_case', { schedulerStats: { num_running_reqs: 1 } }, ['schedulerStats']],
  ["stats as the wire's array", { schedulerStats: [1, 2] }, ['schedulerStats']],
  ['a cache in snake_case', { schedulerStats: { prefixCacheStats: { n_queries: 1 } } }, ['prefixCacheStats']],
  [
    'a connector in snake_case',
    { schedulerStats: { connectorPrefixCacheStats: { n: 1 } } },
    ['connectorPrefixCacheStats'],
  ],
  [
    'drafts in snake_case',
    { schedulerStats: { specDecodingStats: { num_drafts: 1 } } },
    ['specDecodingStats'],
  ],
  ['work in snake_case', { schedulerStats: { perfStats: { num_flops_per_gpu: 1 } } }, ['perfStats']],
  [
    'an eviction in snake_case',
    { schedulerStats: { kvCacheEvictionEvents: [{ lifetime_seconds: 1 }] } },
    ['kvCacheEvictionEvents'],
  ],
  ['nothing at all', { outputs: [{}], schedulerStats: { prefixCacheStats: {}, perfStats: {} } }, []],
  ['one known name beside others', { schedulerStats: { num_running: 1, waitingLoraAdapters: {} } }, []],
])('names that are all wrong do not read as silence: %s', (_, batch, sources) => {
  const rig = new Rig();
  rig.hostile({ engineIndex: 0, timestamp: 0, outputs: [], ...batch });
  expect(rig.sources()).toEqual(sources);
});

/*
 * https://github.com/vllm-project/vllm/releases/tag/v0.32.0
 * Families of release 0.32.0: stages of a KV fetch, requests turned away, notifications that came too late.
 */
it('the families of release 0.32.0 are recorded, unknown stages and reasons reported', async () => {
  const rig = new Rig({ engines: [0] });
  const stage = 'vllm:num_requests_kv_fetch_by_stage';
  const stages = async () =>
    Promise.all(
      ['waiting_to_start', 'in_progress', 'completed_waiting'].map((name) =>
        rig.value(stage, 0, `stage="${name}"`),
      ),
    );
  rig.stats({ numKvFetchReqsByStage: { waiting_to_start: 4, completed_waiting: 1, lost: 9 } });
  expect(await stages()).toEqual([4, 0, 1]);
  rig.stats({});
  expect(await stages()).toEqual([0, 0, 0]);

  rig.metrics.recordAdmissionRejection('max_num_queued_reqs');
  rig.metrics.recordAdmissionRejection('full' as never);
  expect(await rig.family('vllm:admission_rejections_total')).toEqual({
    '{model_name="m",reason="max_num_queued_reqs"}': 1,
    '{model_name="m",reason="max_num_queued_tokens"}': 0,
    '{model_name="m",reason="other"}': 1,
  });

  const nixl = { transferDuration: [0.1], postDuration: [0.1], numNotificationsAfterExpiry: [1, 1] };
  rig.stats({ kvConnectorStats: nixl });
  expect(await rig.value('vllm:nixl_num_notifications_after_expiry_total')).toBe(2);
  expect(rig.sources()).toEqual(['numKvFetchReqsByStage', 'reason']);
});

/*
 * A finding of our own: figures that are valid one by one and add up to more than any figure can be left no sample and
 * no word.
 */
it('a step whose figures add up to more than 1e200 is a sample of 0 and a diagnostic', async () => {
  const rig = new Rig();
  const prefillStats = { numComputedTokens: 1e200 };
  rig.batch({ outputs: ['a', 'b'].map((requestId) => ({ requestId, newTokenIds: [1], prefillStats })) });
  const family = 'vllm:iteration_tokens_total';
  expect([await rig.value(`${family}_count`), await rig.value(`${family}_sum`)]).toEqual([1, 0]);
  expect(rig.sources()).toEqual(['numComputedTokens']);
});
