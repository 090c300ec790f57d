/**
 * The families an engine's scheduler, batches, configuration and this library itself record, one row each.
 * @see vllm/v1/metrics/loggers.py, vllm/v1/spec_decode/metrics.py, rust/src/metrics/src/lib.rs
 */
import { type CounterRow, counter, type GaugeRow, gauge, type HistogramRow, histogram } from './row.js';

type EngineCounter =
  | 'prefixCacheQueries'
  | 'prefixCacheHits'
  | 'externalPrefixCacheQueries'
  | 'externalPrefixCacheHits'
  | 'promptTokensCachedBySource'
  | 'mmCacheQueries'
  | 'mmCacheHits'
  | 'specDecodeNumDrafts'
  | 'specDecodeNumDraftTokens'
  | 'specDecodeNumAcceptedTokens'
  | 'specDecodeNumAcceptedTokensPerPos'
  | 'estimatedFlopsPerGpu'
  | 'estimatedReadBytesPerGpu'
  | 'estimatedWriteBytesPerGpu';

type EngineGauge =
  | 'numRequestsRunning'
  | 'numRequestsWaiting'
  | 'numRequestsWaitingByReason'
  | 'kvCacheUsagePerc'
  | 'engineSleepState';

type EngineHistogram =
  | 'iterationTokens'
  | 'kvBlockLifetimeSeconds'
  | 'kvBlockIdleBeforeEvictSeconds'
  | 'kvBlockReuseGapSeconds';

export const ENGINE_GAUGES: Readonly<Record<EngineGauge, GaugeRow>> = {
  numRequestsRunning: gauge('num_requests_running', 'Requests in the running batch.'),
  numRequestsWaiting: gauge(
    'num_requests_waiting',
    'Requests waiting to be scheduled, deferred ones included.',
  ),
  numRequestsWaitingByReason: gauge(
    'num_requests_waiting_by_reason',
    'Requests waiting for capacity, and deferred ones.',
    'reason',
  ),
  kvCacheUsagePerc: gauge('kv_cache_usage_perc', 'Share of the KV cache in use, 0 to 1.'),
  engineSleepState: gauge(
    'engine_sleep_state',
    '1 for the state the engine is in, 0 for the others.',
    'sleep_state',
  ),
};

export const ENGINE_COUNTERS: Readonly<Record<EngineCounter, CounterRow>> = {
  prefixCacheQueries: counter('prefix_cache_queries', 'Prompt tokens looked up in the prefix cache.'),
  prefixCacheHits: counter('prefix_cache_hits', 'Prompt tokens found in the prefix cache.'),
  externalPrefixCacheQueries: counter(
    'external_prefix_cache_queries',
    'Prompt tokens asked from the KV connector.',
  ),
  externalPrefixCacheHits: counter(
    'external_prefix_cache_hits',
    'Prompt tokens the KV connector could supply.',
  ),
  promptTokensCachedBySource: counter(
    'prompt_tokens_cached_by_source',
    'Cached prompt tokens by cache tier.',
    'source',
  ),
  mmCacheQueries: counter('mm_cache_queries', 'Items looked up in the multimodal cache.'),
  mmCacheHits: counter('mm_cache_hits', 'Items found in the multimodal cache.'),
  specDecodeNumDrafts: counter('spec_decode_num_drafts', 'Drafts of speculative decoding.'),
  specDecodeNumDraftTokens: counter('spec_decode_num_draft_tokens', 'Tokens drafted.'),
  specDecodeNumAcceptedTokens: counter(
    'spec_decode_num_accepted_tokens',
    'Drafted tokens that were accepted.',
  ),
  specDecodeNumAcceptedTokensPerPos: counter(
    'spec_decode_num_accepted_tokens_per_pos',
    'Drafted tokens that were accepted, by position in the draft.',
    'position',
  ),
  estimatedFlopsPerGpu: counter('estimated_flops_per_gpu', 'Floating point operations per GPU, estimated.'),
  estimatedReadBytesPerGpu: counter(
    'estimated_read_bytes_per_gpu',
    'Bytes read from memory per GPU, estimated.',
  ),
  estimatedWriteBytesPerGpu: counter(
    'estimated_write_bytes_per_gpu',
    'Bytes written to memory per GPU, estimated.',
  ),
};

export const ENGINE_HISTOGRAMS: Readonly<Record<EngineHistogram, HistogramRow>> = {
  iterationTokens: histogram(
    'iteration_tokens_total',
    'Tokens of each engine step that had outputs.',
    'iterationTokens',
  ),
  kvBlockLifetimeSeconds: histogram(
    'kv_block_lifetime_seconds',
    'Seconds from allocation to eviction of sampled KV blocks.',
    'kvCacheResidency',
  ),
  kvBlockIdleBeforeEvictSeconds: histogram(
    'kv_block_idle_before_evict_seconds',
    'Seconds from last access to eviction of sampled KV blocks.',
    'kvCacheResidency',
  ),
  kvBlockReuseGapSeconds: histogram(
    'kv_block_reuse_gap_seconds',
    'Seconds between accesses of sampled KV blocks.',
    'kvCacheResidency',
  ),
};
