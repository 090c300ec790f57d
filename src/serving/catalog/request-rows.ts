/**
 * The families a request's life records, one row each.
 * @see vllm/v1/metrics/loggers.py `PrometheusStatLogger`, rust/src/metrics/src/lib.rs
 */

export const REQUEST_COUNTERS = {
  numPreemptions: {
    type: 'counter',
    name: 'num_preemptions_total',
    help: 'Preemptions of requests by the engine.',
  },
  promptTokens: {
    type: 'counter',
    name: 'prompt_tokens_total',
    help: 'Prompt tokens of requests that got their first token, cached ones included.',
  },
  promptTokensBySource: {
    type: 'counter',
    name: 'prompt_tokens_by_source_total',
    help: 'Prompt tokens by where their KV came from.',
    labels: ['source'],
  },
  promptTokensCached: {
    type: 'counter',
    name: 'prompt_tokens_cached_total',
    help: 'Prompt tokens found in a local or an external cache.',
  },
  generationTokens: { type: 'counter', name: 'generation_tokens_total', help: 'Tokens generated.' },
  requestSuccess: {
    type: 'counter',
    name: 'request_success_total',
    help: 'Requests that ended, by reason; errors and aborts too.',
    labels: ['finished_reason'],
  },
  corruptedRequests: {
    type: 'counter',
    name: 'corrupted_requests_total',
    help: 'Requests that ended with NaN in their logits at least once.',
  },
} as const;

export const REQUEST_HISTOGRAMS = {
  requestPromptTokens: {
    type: 'histogram',
    name: 'request_prompt_tokens',
    help: 'Prompt tokens of each ended request.',
    buckets: 'requestTokens',
  },
  requestGenerationTokens: {
    type: 'histogram',
    name: 'request_generation_tokens',
    help: 'Tokens generated for each ended request.',
    buckets: 'requestTokens',
  },
  requestMaxNumGenerationTokens: {
    type: 'histogram',
    name: 'request_max_num_generation_tokens',
    help: 'Longest generation among the sequences of each ended request.',
    buckets: 'requestTokens',
  },
  requestParamsMaxTokens: {
    type: 'histogram',
    name: 'request_params_max_tokens',
    help: 'The max_tokens parameter of each ended request that had one.',
    buckets: 'requestTokens',
  },
  requestParamsN: {
    type: 'histogram',
    name: 'request_params_n',
    help: 'The n parameter of each ended request.',
    buckets: 'requestParamsN',
  },
  requestNumPreemptions: {
    type: 'histogram',
    name: 'request_num_preemptions',
    help: 'Preemptions of each ended request, zero included.',
    buckets: 'requestNumPreemptions',
  },
  requestPrefillKvComputedTokens: {
    type: 'histogram',
    name: 'request_prefill_kv_computed_tokens',
    help: 'Prompt tokens of each ended request whose KV was not found in a cache.',
    buckets: 'requestTokens',
  },
  timeToFirstTokenSeconds: {
    type: 'histogram',
    name: 'time_to_first_token_seconds',
    help: "Seconds from a request's arrival to its first token, frontend clock.",
    buckets: 'timeToFirstToken',
  },
  interTokenLatencySeconds: {
    type: 'histogram',
    name: 'inter_token_latency_seconds',
    help: 'Seconds between consecutive outputs with tokens of a request, engine clock.',
    buckets: 'interTokenLatency',
  },
  requestTimePerOutputTokenSeconds: {
    type: 'histogram',
    name: 'request_time_per_output_token_seconds',
    help: 'Mean seconds per token after the first of each ended request, engine clock.',
    buckets: 'interTokenLatency',
  },
  e2eRequestLatencySeconds: {
    type: 'histogram',
    name: 'e2e_request_latency_seconds',
    help: 'Seconds from arrival to end of each ended request, frontend clock.',
    buckets: 'requestLatency',
  },
  requestQueueTimeSeconds: {
    type: 'histogram',
    name: 'request_queue_time_seconds',
    help: 'Seconds each ended request waited to be scheduled, engine clock.',
    buckets: 'requestLatency',
  },
  requestPrefillTimeSeconds: {
    type: 'histogram',
    name: 'request_prefill_time_seconds',
    help: 'Seconds from first scheduled to first token of each ended request, engine clock.',
    buckets: 'requestLatency',
  },
  requestDecodeTimeSeconds: {
    type: 'histogram',
    name: 'request_decode_time_seconds',
    help: 'Seconds from first to last token of each ended request, engine clock.',
    buckets: 'requestLatency',
  },
  requestInferenceTimeSeconds: {
    type: 'histogram',
    name: 'request_inference_time_seconds',
    help: 'Seconds from first scheduled to last token of each ended request, engine clock.',
    buckets: 'requestLatency',
  },
} as const;
