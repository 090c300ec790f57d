/**
 * The families an engine's scheduler, batches, configuration and this library itself record, one row each.
 * @see vllm/v1/metrics/loggers.py, vllm/v1/spec_decode/metrics.py, rust/src/metrics/src/lib.rs
 */

export const ENGINE_GAUGES = {
  numRequestsRunning: { type: 'gauge', name: 'num_requests_running', help: 'Requests in the running batch.' },
  numRequestsWaiting: {
    type: 'gauge',
    name: 'num_requests_waiting',
    help: 'Requests waiting to be scheduled, deferred ones included.',
  },
  numRequestsWaitingByReason: {
    type: 'gauge',
    name: 'num_requests_waiting_by_reason',
    help: 'Requests waiting for capacity, and deferred ones.',
    labels: ['reason'],
  },
  numRequestsKvFetchByStage: {
    type: 'gauge',
    name: 'num_requests_kv_fetch_by_stage',
    help: 'Requests whose KV is being fetched, by stage of the fetch.',
    labels: ['stage'],
  },
  kvCacheUsagePerc: {
    type: 'gauge',
    name: 'kv_cache_usage_perc',
    help: 'Share of the KV cache in use, 0 to 1.',
  },
  engineSleepState: {
    type: 'gauge',
    name: 'engine_sleep_state',
    help: '1 for the state the engine is in, 0 for the others.',
    labels: ['sleep_state'],
  },
} as const;

export const ENGINE_COUNTERS = {
  prefixCacheQueries: {
    type: 'counter',
    name: 'prefix_cache_queries_total',
    help: 'Prompt tokens looked up in the prefix cache.',
  },
  prefixCacheHits: {
    type: 'counter',
    name: 'prefix_cache_hits_total',
    help: 'Prompt tokens found in the prefix cache.',
  },
  externalPrefixCacheQueries: {
    type: 'counter',
    name: 'external_prefix_cache_queries_total',
    help: 'Prompt tokens asked from the KV connector.',
  },
  externalPrefixCacheHits: {
    type: 'counter',
    name: 'external_prefix_cache_hits_total',
    help: 'Prompt tokens the KV connector could supply.',
  },
  promptTokensCachedBySource: {
    type: 'counter',
    name: 'prompt_tokens_cached_by_source_total',
    help: 'Cached prompt tokens by cache tier.',
    labels: ['source'],
  },
  mmCacheQueries: {
    type: 'counter',
    name: 'mm_cache_queries_total',
    help: 'Items looked up in the multimodal cache.',
  },
  mmCacheHits: { type: 'counter', name: 'mm_cache_hits_total', help: 'Items found in the multimodal cache.' },
  specDecodeNumDrafts: {
    type: 'counter',
    name: 'spec_decode_num_drafts_total',
    help: 'Drafts of speculative decoding.',
  },
  specDecodeNumDraftTokens: {
    type: 'counter',
    name: 'spec_decode_num_draft_tokens_total',
    help: 'Tokens drafted.',
  },
  specDecodeNumAcceptedTokens: {
    type: 'counter',
    name: 'spec_decode_num_accepted_tokens_total',
    help: 'Drafted tokens that were accepted.',
  },
  specDecodeNumAcceptedTokensPerPos: {
    type: 'counter',
    name: 'spec_decode_num_accepted_tokens_per_pos_total',
    help: 'Drafted tokens that were accepted, by position in the draft.',
    labels: ['position'],
  },
  estimatedFlopsPerGpu: {
    type: 'counter',
    name: 'estimated_flops_per_gpu_total',
    help: 'Floating point operations per GPU, estimated.',
  },
  estimatedReadBytesPerGpu: {
    type: 'counter',
    name: 'estimated_read_bytes_per_gpu_total',
    help: 'Bytes read from memory per GPU, estimated.',
  },
  estimatedWriteBytesPerGpu: {
    type: 'counter',
    name: 'estimated_write_bytes_per_gpu_total',
    help: 'Bytes written to memory per GPU, estimated.',
  },
} as const;

export const ENGINE_HISTOGRAMS = {
  iterationTokens: {
    type: 'histogram',
    name: 'iteration_tokens_total',
    help: 'Tokens of each engine step that had outputs.',
    buckets: 'iterationTokens',
  },
  kvBlockLifetimeSeconds: {
    type: 'histogram',
    name: 'kv_block_lifetime_seconds',
    help: 'Seconds from allocation to eviction of sampled KV blocks.',
    buckets: 'kvCacheResidency',
  },
  kvBlockIdleBeforeEvictSeconds: {
    type: 'histogram',
    name: 'kv_block_idle_before_evict_seconds',
    help: 'Seconds from last access to eviction of sampled KV blocks.',
    buckets: 'kvCacheResidency',
  },
  kvBlockReuseGapSeconds: {
    type: 'histogram',
    name: 'kv_block_reuse_gap_seconds',
    help: 'Seconds between accesses of sampled KV blocks.',
    buckets: 'kvCacheResidency',
  },
} as const;
