/**
 * The families a request's life records, one row each.
 * @see vllm/v1/metrics/loggers.py `PrometheusStatLogger`, rust/src/metrics/src/lib.rs
 */
import { type CounterRow, counter, type HistogramRow, histogram } from './row.js';

type RequestCounter =
  | 'numPreemptions'
  | 'promptTokens'
  | 'promptTokensBySource'
  | 'promptTokensCached'
  | 'generationTokens'
  | 'requestSuccess'
  | 'corruptedRequests';

type RequestHistogram =
  | 'requestPromptTokens'
  | 'requestGenerationTokens'
  | 'requestMaxNumGenerationTokens'
  | 'requestParamsMaxTokens'
  | 'requestParamsN'
  | 'requestNumPreemptions'
  | 'requestPrefillKvComputedTokens'
  | 'timeToFirstTokenSeconds'
  | 'interTokenLatencySeconds'
  | 'requestTimePerOutputTokenSeconds'
  | 'e2eRequestLatencySeconds'
  | 'requestQueueTimeSeconds'
  | 'requestPrefillTimeSeconds'
  | 'requestDecodeTimeSeconds'
  | 'requestInferenceTimeSeconds';

export const REQUEST_COUNTERS: Readonly<Record<RequestCounter, CounterRow>> = {
  numPreemptions: counter('num_preemptions', 'Preemptions of requests by the engine.'),
  promptTokens: counter(
    'prompt_tokens',
    'Prompt tokens of requests that got their first token, cached ones included.',
  ),
  promptTokensBySource: counter(
    'prompt_tokens_by_source',
    'Prompt tokens by where their KV came from.',
    'source',
  ),
  promptTokensCached: counter('prompt_tokens_cached', 'Prompt tokens found in a local or an external cache.'),
  generationTokens: counter('generation_tokens', 'Tokens generated.'),
  requestSuccess: counter(
    'request_success',
    'Requests that ended, by reason; errors and aborts too.',
    'finished_reason',
  ),
  corruptedRequests: counter(
    'corrupted_requests',
    'Requests that ended with NaN in their logits at least once.',
  ),
};

export const REQUEST_HISTOGRAMS: Readonly<Record<RequestHistogram, HistogramRow>> = {
  requestPromptTokens: histogram(
    'request_prompt_tokens',
    'Prompt tokens of each ended request.',
    'requestTokens',
  ),
  requestGenerationTokens: histogram(
    'request_generation_tokens',
    'Tokens generated for each ended request.',
    'requestTokens',
  ),
  requestMaxNumGenerationTokens: histogram(
    'request_max_num_generation_tokens',
    'Longest generation among the sequences of each ended request.',
    'requestTokens',
  ),
  requestParamsMaxTokens: histogram(
    'request_params_max_tokens',
    'The max_tokens parameter of each ended request that had one.',
    'requestTokens',
  ),
  requestParamsN: histogram('request_params_n', 'The n parameter of each ended request.', 'requestParamsN'),
  requestNumPreemptions: histogram(
    'request_num_preemptions',
    'Preemptions of each ended request, zero included.',
    'requestNumPreemptions',
  ),
  requestPrefillKvComputedTokens: histogram(
    'request_prefill_kv_computed_tokens',
    'Prompt tokens of each ended request whose KV was not found in a cache.',
    'requestTokens',
  ),
  timeToFirstTokenSeconds: histogram(
    'time_to_first_token_seconds',
    "Seconds from a request's arrival to its first token, frontend clock.",
    'timeToFirstToken',
  ),
  interTokenLatencySeconds: histogram(
    'inter_token_latency_seconds',
    'Seconds between consecutive outputs with tokens of a request, engine clock.',
    'interTokenLatency',
  ),
  requestTimePerOutputTokenSeconds: histogram(
    'request_time_per_output_token_seconds',
    'Mean seconds per token after the first of each ended request, engine clock.',
    'interTokenLatency',
  ),
  e2eRequestLatencySeconds: histogram(
    'e2e_request_latency_seconds',
    'Seconds from arrival to end of each ended request, frontend clock.',
    'requestLatency',
  ),
  requestQueueTimeSeconds: histogram(
    'request_queue_time_seconds',
    'Seconds each ended request waited to be scheduled, engine clock.',
    'requestLatency',
  ),
  requestPrefillTimeSeconds: histogram(
    'request_prefill_time_seconds',
    'Seconds from first scheduled to first token of each ended request, engine clock.',
    'requestLatency',
  ),
  requestDecodeTimeSeconds: histogram(
    'request_decode_time_seconds',
    'Seconds from first to last token of each ended request, engine clock.',
    'requestLatency',
  ),
  requestInferenceTimeSeconds: histogram(
    'request_inference_time_seconds',
    'Seconds from first scheduled to last token of each ended request, engine clock.',
    'requestLatency',
  ),
};
