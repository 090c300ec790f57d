/** vLLM's bucket bounds, written out: what the reference page counts by shares nothing with the library. */

const LATENCY = [
  0.3, 0.5, 0.8, 1, 1.5, 2, 2.5, 5, 10, 15, 20, 30, 40, 50, 60, 120, 240, 480, 960, 1920, 7680,
];
const FIRST = [
  0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 20, 40, 80, 160, 640,
  2560,
];
const INTER = [0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 20, 40, 80];
const TOKENS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000, 131072];
const RESIDENCY = [
  0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800,
];

export const HISTOGRAMS: Readonly<Record<string, readonly number[]>> = {
  request_prompt_tokens: TOKENS,
  request_generation_tokens: TOKENS,
  request_max_num_generation_tokens: TOKENS,
  request_params_max_tokens: TOKENS,
  request_params_n: [1, 2, 5, 10, 20],
  request_num_preemptions: [1, 2, 3, 4, 5, 10, 20],
  request_prefill_kv_computed_tokens: TOKENS,
  time_to_first_token_seconds: FIRST,
  inter_token_latency_seconds: INTER,
  request_time_per_output_token_seconds: INTER,
  e2e_request_latency_seconds: LATENCY,
  request_queue_time_seconds: LATENCY,
  request_prefill_time_seconds: LATENCY,
  request_decode_time_seconds: LATENCY,
  request_inference_time_seconds: LATENCY,
  iteration_tokens_total: [1, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384],
  kv_block_lifetime_seconds: RESIDENCY,
  kv_block_idle_before_evict_seconds: RESIDENCY,
  kv_block_reuse_gap_seconds: RESIDENCY,
};

/** Counters and gauges of one label set an engine. */
export const SCALARS: readonly string[] = [
  'num_preemptions_total',
  'prompt_tokens_total',
  'prompt_tokens_cached_total',
  'generation_tokens_total',
  'corrupted_requests_total',
  'num_requests_running',
  'num_requests_waiting',
  'kv_cache_usage_perc',
  'prefix_cache_queries_total',
  'prefix_cache_hits_total',
  'external_prefix_cache_queries_total',
  'external_prefix_cache_hits_total',
  'spec_decode_num_drafts_total',
  'spec_decode_num_draft_tokens_total',
  'spec_decode_num_accepted_tokens_total',
  'estimated_flops_per_gpu_total',
  'estimated_read_bytes_per_gpu_total',
  'estimated_write_bytes_per_gpu_total',
];

/** Families with one more label, and its values. */
export const LABELLED: readonly (readonly [name: string, label: string, values: readonly string[]])[] = [
  ['request_success_total', 'finished_reason', ['stop', 'length', 'abort', 'error', 'repetition']],
  ['prompt_tokens_by_source_total', 'source', ['local_compute', 'local_cache_hit', 'external_kv_transfer']],
  [
    'prompt_tokens_cached_by_source_total',
    'source',
    ['device', 'host', 'p2p', 'disk', 'external_unspecified'],
  ],
  ['num_requests_waiting_by_reason', 'reason', ['capacity', 'deferred']],
  ['num_requests_kv_fetch_by_stage', 'stage', ['waiting_to_start', 'in_progress', 'completed_waiting']],
];
