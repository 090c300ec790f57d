/** An engine's steps by the recording rules. */
import type { EngineCoreOutputs, PrefixCacheStats, SchedulerStats } from '../../src/index.js';
import type { ReferencePage } from './page.js';

/** One iteration sample per step with outputs: new tokens and computed prompt tokens. */
function recordOutputs(page: ReferencePage, { engineIndex, outputs }: EngineCoreOutputs): void {
  if (outputs.length === 0) return;
  let tokens = 0;
  for (const { newTokenIds, prefillStats } of outputs)
    tokens += newTokenIds.length + (prefillStats?.numComputedTokens ?? 0);
  page.observe('iteration_tokens_total', engineIndex, tokens);
}

function recordCaches(page: ReferencePage, engine: number, stats: SchedulerStats): void {
  const { prefixCacheStats: local, connectorPrefixCacheStats: external } = stats;
  const add = (name: string, n: number | null | undefined) => page.add(`${name}_total`, engine, n ?? 0);
  if (local) {
    add('prefix_cache_queries', local.queries);
    add('prefix_cache_hits', local.hits);
    recordTiers(page, engine, { hitsBySource: { device: local.hits ?? 0 } });
  }
  if (external) {
    add('external_prefix_cache_queries', external.queries);
    add('external_prefix_cache_hits', external.hits);
    recordTiers(page, engine, external);
  }
}

function recordTiers(page: ReferencePage, engine: number, { hitsBySource }: PrefixCacheStats): void {
  for (const [source, n] of Object.entries(hitsBySource ?? {}))
    page.add('prompt_tokens_cached_by_source_total', engine, n, { source });
}

function recordSpeculation(page: ReferencePage, engine: number, stats: SchedulerStats): void {
  const { specDecodingStats: spec, perfStats: perf } = stats;
  const add = (name: string, n: number | null | undefined) => page.add(`${name}_total`, engine, n ?? 0);
  if (spec) {
    add('spec_decode_num_drafts', spec.numDrafts);
    add('spec_decode_num_draft_tokens', spec.numDraftTokens);
    add('spec_decode_num_accepted_tokens', spec.numAcceptedTokens);
    spec.numAcceptedTokensPerPos?.forEach((n, position) => {
      page.add('spec_decode_num_accepted_tokens_per_pos_total', engine, n, { position: String(position) });
    });
  }
  if (perf) {
    add('estimated_flops_per_gpu', perf.numFlopsPerGpu);
    add('estimated_read_bytes_per_gpu', perf.numReadBytesPerGpu);
    add('estimated_write_bytes_per_gpu', perf.numWriteBytesPerGpu);
  }
}

function recordStats(page: ReferencePage, engine: number, stats: SchedulerStats): void {
  const { numRunningReqs, numWaitingReqs, numSkippedWaitingReqs, kvCacheUsage } = stats;
  const [capacity, deferred] = [numWaitingReqs ?? 0, numSkippedWaitingReqs ?? 0];
  page.set('num_requests_running', engine, numRunningReqs ?? 0);
  page.set('num_requests_waiting', engine, capacity + deferred);
  page.set('num_requests_waiting_by_reason', engine, capacity, { reason: 'capacity' });
  page.set('num_requests_waiting_by_reason', engine, deferred, { reason: 'deferred' });
  for (const stage of ['waiting_to_start', 'in_progress', 'completed_waiting'])
    page.set('num_requests_kv_fetch_by_stage', engine, stats.numKvFetchReqsByStage?.[stage] ?? 0, { stage });
  page.set('kv_cache_usage_perc', engine, kvCacheUsage ?? 0);
  recordCaches(page, engine, stats);
  recordSpeculation(page, engine, stats);
  for (const { lifetimeSeconds, idleSeconds, reuseGapsSeconds } of stats.kvCacheEvictionEvents ?? []) {
    page.observe('kv_block_lifetime_seconds', engine, lifetimeSeconds!);
    page.observe('kv_block_idle_before_evict_seconds', engine, idleSeconds!);
    for (const gap of reuseGapsSeconds ?? []) page.observe('kv_block_reuse_gap_seconds', engine, gap);
  }
}

/** One step: its engine appears, its outputs and its stats are recorded. */
export function recordBatch(page: ReferencePage, batch: EngineCoreOutputs): void {
  page.addEngine(batch.engineIndex);
  recordOutputs(page, batch);
  if (batch.schedulerStats) recordStats(page, batch.engineIndex, batch.schedulerStats);
}
