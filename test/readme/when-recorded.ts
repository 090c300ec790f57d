/** When a sample of each family is recorded, for the README's table. */
import type { CatalogKey } from '../../src/serving/catalog/catalog.js';

export const WHEN_RECORDED: Readonly<Record<CatalogKey, string>> = {
  numRequestsRunning: 'set by each step with scheduler stats',
  numRequestsWaiting: 'set by each step with scheduler stats',
  numRequestsWaitingByReason: 'set by each step with scheduler stats',
  kvCacheUsagePerc: 'set by each step with scheduler stats, 0 to 1',
  engineSleepState: 'set by `setSleepState`; `awake` from the start',
  prefixCacheQueries:
    'tokens looked up, and tokens found, since the last stats; look-ups after a preemption are left out',
  prefixCacheHits:
    'tokens looked up, and tokens found, since the last stats; look-ups after a preemption are left out',
  externalPrefixCacheQueries: 'the same at the KV connector',
  externalPrefixCacheHits: 'the same at the KV connector',
  promptTokensCachedBySource:
    'prefix cache hits by tier: `device` is the engine’s own, the others come with the connector’s stats; an unknown tier is `other`',
  mmCacheQueries: 'by `recordMultiModalCache`, in items',
  mmCacheHits: 'by `recordMultiModalCache`, in items',
  specDecodeNumDrafts: 'drafts, tokens drafted, and drafted tokens accepted since the last stats',
  specDecodeNumDraftTokens: 'drafts, tokens drafted, and drafted tokens accepted since the last stats',
  specDecodeNumAcceptedTokens: 'drafts, tokens drafted, and drafted tokens accepted since the last stats',
  specDecodeNumAcceptedTokensPerPos:
    'accepted tokens by position in the draft; positions appear with their first use, or with `numSpecTokens`',
  estimatedFlopsPerGpu: 'the engine’s estimate since the last stats (MFU)',
  estimatedReadBytesPerGpu: 'the engine’s estimate since the last stats (MFU)',
  estimatedWriteBytesPerGpu: 'the engine’s estimate since the last stats (MFU)',
  numPreemptions: 'each `preempted` event of a request',
  promptTokens: 'the whole prompt, with the request’s first token',
  promptTokensBySource: 'the prompt by where its KV came from, with the first token',
  promptTokensCached: 'the cached part of the prompt, with the first token',
  generationTokens: 'each output’s new tokens',
  requestSuccess: 'each end, errors and aborts included',
  corruptedRequests: 'at the end of a request whose logits were ever NaN',
  requestPromptTokens: 'at the end: the length of the prompt, and the tokens generated',
  requestGenerationTokens: 'at the end: the length of the prompt, and the tokens generated',
  requestMaxNumGenerationTokens:
    'at the end: tokens generated; with a `parent` once, the longest of its sequences',
  requestParamsMaxTokens:
    'at the end: the parameters; `max_tokens` if it is a number, `n` (1 by default) once for a `parent`',
  requestParamsN:
    'at the end: the parameters; `max_tokens` if it is a number, `n` (1 by default) once for a `parent`',
  requestNumPreemptions: 'at the end, also 0',
  requestPrefillKvComputedTokens: 'at the end: the prompt minus its cached tokens',
  timeToFirstTokenSeconds: 'with the first token, since arrival; frontend clock',
  interTokenLatencySeconds: 'each output with tokens after the first, since the previous one; engine clock',
  requestTimePerOutputTokenSeconds:
    'at the end: decode time / (tokens − 1), 0 with fewer than two tokens; engine clock',
  e2eRequestLatencySeconds: 'at the end, since arrival; frontend clock',
  requestQueueTimeSeconds:
    'at the end: queued to first scheduled, to first token, to last token; inference is the last two together; engine clock',
  requestPrefillTimeSeconds:
    'at the end: queued to first scheduled, to first token, to last token; inference is the last two together; engine clock',
  requestDecodeTimeSeconds:
    'at the end: queued to first scheduled, to first token, to last token; inference is the last two together; engine clock',
  requestInferenceTimeSeconds:
    'at the end: queued to first scheduled, to first token, to last token; inference is the last two together; engine clock',
  iterationTokens:
    'each step with outputs: its new tokens, and the prompt tokens computed for the prefills it reports',
  kvBlockLifetimeSeconds:
    'each sampled block that was evicted: allocation to eviction, last access to eviction, and each gap between its last accesses',
  kvBlockIdleBeforeEvictSeconds:
    'each sampled block that was evicted: allocation to eviction, last access to eviction, and each gap between its last accesses',
  kvBlockReuseGapSeconds:
    'each sampled block that was evicted: allocation to eviction, last access to eviction, and each gap between its last accesses',
  numRequestsKvFetchByStage: 'set by each step with scheduler stats; a stage that is absent is 0',
  nixlNumNotificationsAfterExpiry: 'since the connector’s last stats',
  nixlXferTimeSeconds: 'each transfer in the connector’s stats',
  nixlPostTimeSeconds: 'each transfer in the connector’s stats',
  nixlBytesTransferred: 'each transfer in the connector’s stats',
  nixlNumDescriptors: 'each transfer in the connector’s stats',
  nixlNumFailedTransfers: 'since the connector’s last stats',
  nixlNumFailedNotifications: 'since the connector’s last stats',
  nixlNumKvExpiredReqs: 'since the connector’s last stats',
  mooncakeStoreOperationTimeSeconds:
    'each operation in the connector’s stats; labels appear with their first use',
  mooncakeStoreOperation: 'each operation in the connector’s stats',
  mooncakeStoreOperationKeys: 'each operation in the connector’s stats',
  mooncakeStoreOperationBytes: 'each operation in the connector’s stats',
  mooncakeStoreOperationFailedKeys: 'each operation in the connector’s stats',
};

/** Families that are computed at scrape, and this library's own. */
export const WHEN_COMPUTED: Readonly<Record<string, string>> = {
  'vllm:lora_requests_info':
    'computed at scrape from live requests with a `loraName`; the value is the time in Unix seconds; one series for all models; while idle none, or with the option `maxLora`, which adds `max_lora`, two empty lists',
  'vllm:cache_config_info': 'set by `setCacheConfig`, always 1; one label for each field',
  'vllm:admission_rejections_total': 'each `recordAdmissionRejection`',
  rx_engine_metrics_requests_in_flight: 'requests subscribed and not yet ended',
  rx_engine_metrics_invalid_values_total: 'each value that could not be recorded as it came, by its field',
  rx_engine_metrics_engine_last_step_timestamp_seconds:
    'set by each step of the engine: the wall clock in Unix seconds; absent before the first',
};
