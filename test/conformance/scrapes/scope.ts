/** Which of vLLM's families belong on our page: architecture.md, "exported families". */
export interface CatalogueEntry {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram' | 'info' | 'summary';
  readonly labels: readonly string[];
  readonly buckets: readonly number[] | TokenBuckets | null;
  readonly bucket_family?: string;
  readonly frontends: readonly string[];
  readonly group: string;
  readonly status: string;
  readonly label_values?: Readonly<Record<string, readonly string[]>>;
}

/** Bounds by a rule: Python's depend on the context length, Rust's do not. */
export interface TokenBuckets {
  readonly example: { readonly max_model_len: number; readonly buckets: readonly number[] };
  readonly rust: { readonly max: number; readonly last: readonly number[] };
}

/** Families that only Python exports and that are ours too. */
const PYTHON_TOO: ReadonlySet<string> = new Set([
  'vllm:mm_cache_queries_total',
  'vllm:mm_cache_hits_total',
  'vllm:corrupted_requests_total',
  'vllm:cache_config_info',
  'vllm:engine_sleep_state',
  'vllm:admission_rejections_total',
  'vllm:num_requests_kv_fetch_by_stage',
  'vllm:nixl_num_notifications_after_expiry_total',
]);

export function isInScope({ name, frontends, status, group }: CatalogueEntry): boolean {
  if (PYTHON_TOO.has(name)) return true;
  const merged = status === 'main' || status === 'recent';
  return merged && frontends.includes('rust') && group !== 'http' && !name.includes('sleep_mode');
}

/** Names in one string, with what they have in common in front. */
function named(prefix: string, names: string): string[] {
  return names
    .trim()
    .split(/\s+/u)
    .map((name) => prefix + name);
}

/** What is not ours, by why. */
export const OUT_OF_SCOPE: Readonly<Record<string, readonly string[]>> = {
  'Python only: watermarks of generated text': ['vllm:watermark_requests_total'],
  'Python only: weight updates of a training loop': named(
    'vllm:rl_weight_update_',
    'operation_duration_seconds operations_in_flight',
  ),
  'Python only: diffusion models': named(
    'vllm:diffusion_num_',
    'denoising_steps_total canvas_positions_total committed_tokens_total',
  ),
  'Python only: KV offloading connector': named(
    'vllm:kv_offload_',
    `load_bytes_total load_time_total load_size store_bytes_total store_time_total store_size
    total_bytes_total total_time_total size lookup_sync_delay_seconds lookup_async_delay_seconds
    allocation_failure_total cpu_cache_usage_perc cpu_cache_write_usage_perc cpu_cache_read_usage_perc
    cpu_allocation_size stores_skipped_total`,
  ),
  'Python only: tiers of the KV offloading connector': named(
    'vllm:kv_offload_tiering_',
    `lookup_sync_delay_seconds lookup_async_delay_seconds read_bytes_total read_time_total write_bytes_total
    write_time_total promotion_job_failures_total cascade_job_failures_total chunk_queries_total chunk_hits_total
    promotion_allocation_failures_total primary_write_usage_perc primary_read_usage_perc active_promotion_jobs
    active_cascade_jobs`,
  ),
  'Python only: HF3FS connector': named(
    'vllm:hf3fs_',
    'save_duration_seconds num_failed_save_total load_duration_seconds num_failed_load_total',
  ),
  'Python only: HiSparse cache': named(
    'vllm:hisparse_',
    `cache_hits_total cache_misses_total host_to_device_bytes_total host_cache_usage_perc pending_page_transfers
    host_block_lifetime_seconds host_block_idle_before_evict_seconds host_block_reuse_gap_seconds`,
  ),
  'Python only: simple KV offloading': named(
    'vllm:simple_kv_offload_',
    'save_outcomes_total load_blocks_total used_blocks pending_store_blocks info',
  ),
  'Python only: encoder cache connector': named(
    'vllm:ec_cpu_',
    `save_bytes_total save_time_seconds_total save_size_bytes
    load_bytes_total load_time_seconds_total load_size_bytes`,
  ),
  'proposed, not merged': named('vllm:', 'scheduler_policy_info request_priority'),
  'seen on one branch only': named(
    'vllm:',
    `engine_sleep_resource_state engine_fully_awake sleep_mode_operation_duration_seconds
    sleep_mode_operations_in_flight`,
  ),
  'Python only: health of the engine process': ['vllm:engine_healthy'],
  "the web server's own": [
    ...named(
      'http_',
      'requests_total request_duration_seconds request_duration_highr_seconds request_size_bytes response_size_bytes',
    ),
    ...named('vllm:websocket_', 'connections_active connections_total connection_duration_seconds'),
  ],
  'Python only: tool-call parsers of the chat API': ['vllm:tool_call_parser_invocations_total'],
};

export const OUT_OF_SCOPE_NAMES: ReadonlySet<string> = new Set(Object.values(OUT_OF_SCOPE).flat());
