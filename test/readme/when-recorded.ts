/** When a sample of each family is recorded, for the README's table. */
import type { CatalogKey } from '../../src/serving/catalog/catalog.js';

export const WHEN_RECORDED: Readonly<Record<CatalogKey, string>> = {
  numRequestsRunning: 'set by each step with scheduler stats',
  numRequestsWaiting: 'set by each step with scheduler stats: capacity and deferred together',
  numRequestsWaitingByReason: 'set by each step with scheduler stats',
  kvCacheUsagePerc: 'set by each step with scheduler stats, 0 to 1',
  engineSleepState: 'set by `setSleepState`; `awake` from the start',
  prefixCacheQueries: 'tokens looked up since the last stats; look-ups after a preemption are left out',
  prefixCacheHits: 'tokens found since the last stats',
  externalPrefixCacheQueries: 'tokens asked from the KV connector since the last stats',
  externalPrefixCacheHits: 'tokens that the KV connector has, since the last stats',
  promptTokensCachedBySource:
    'prefix cache hits by tier: `device` is the engine’s own, the others come with the connector’s stats; a tier of another name counts as `other`',
  mmCacheQueries: 'by `recordMultiModalCache`, in items',
  mmCacheHits: 'by `recordMultiModalCache`, in items',
  specDecodeNumDrafts: 'drafts since the last stats',
  specDecodeNumDraftTokens: 'tokens drafted since the last stats',
  specDecodeNumAcceptedTokens: 'drafted tokens accepted since the last stats',
  specDecodeNumAcceptedTokensPerPos: 'the same by position in the draft; a position comes with its first use',
  estimatedFlopsPerGpu: 'the engine’s estimate since the last stats (MFU)',
  estimatedReadBytesPerGpu: 'the engine’s estimate since the last stats (MFU)',
  estimatedWriteBytesPerGpu: 'the engine’s estimate since the last stats (MFU)',
  numPreemptions: 'each `preempted` event of a request',
  promptTokens: 'the whole prompt, with the request’s first token',
  promptTokensBySource: 'the prompt by where its KV came from, with the first token',
  promptTokensCached: 'the cached part of the prompt, with the first token',
  generationTokens: 'each output’s new tokens',
  requestSuccess: 'each end, errors and aborts included',
  corruptedRequests: 'with the end of a request that had NaN in its logits at least once',
  requestPromptTokens: 'at the end: the request’s `numPromptTokens`',
  requestGenerationTokens: 'at the end: tokens generated',
  requestMaxNumGenerationTokens:
    'at the end: tokens generated; with a `parent`, the longest of its n sequences, once',
  requestParamsMaxTokens: 'at the end, if `maxTokens` is a number',
  requestParamsN: 'at the end: `n`, 1 by default; with a `parent`, once',
  requestNumPreemptions: 'at the end, also 0',
  requestPrefillKvComputedTokens: 'at the end: the prompt less its cached tokens',
  timeToFirstTokenSeconds: 'with the first token, since arrival; frontend clock',
  interTokenLatencySeconds: 'each output with tokens after the first, since the one before; engine clock',
  requestTimePerOutputTokenSeconds:
    'at the end: decode time / (tokens − 1), 0 with fewer than two tokens; engine clock',
  e2eRequestLatencySeconds: 'at the end, since arrival; frontend clock',
  requestQueueTimeSeconds: 'at the end: queued to first scheduled; engine clock',
  requestPrefillTimeSeconds: 'at the end: first scheduled to first token; engine clock',
  requestDecodeTimeSeconds: 'at the end: first to last token; engine clock',
  requestInferenceTimeSeconds: 'at the end: first scheduled to last token; engine clock',
  iterationTokens:
    'each step with outputs: its new tokens and the prompt tokens computed for the prefills it reports',
  kvBlockLifetimeSeconds: 'each sampled block that was evicted: allocation to eviction',
  kvBlockIdleBeforeEvictSeconds: 'each sampled block that was evicted: last access to eviction',
  kvBlockReuseGapSeconds: 'each gap between the last accesses of such a block',
  numRequestsKvFetchByStage: 'each step’s scheduler stats, by stage of the fetch; absent is 0',
  nixlNumNotificationsAfterExpiry: 'each such notification in the connector’s stats',
  nixlXferTimeSeconds: 'each transfer in the connector’s stats',
  nixlPostTimeSeconds: 'each transfer in the connector’s stats',
  nixlBytesTransferred: 'each transfer in the connector’s stats',
  nixlNumDescriptors: 'each transfer in the connector’s stats',
  nixlNumFailedTransfers: 'as the connector’s stats say',
  nixlNumFailedNotifications: 'as the connector’s stats say',
  nixlNumKvExpiredReqs: 'as the connector’s stats say',
  mooncakeStoreOperationTimeSeconds:
    'each operation in the connector’s stats; its labels come with its first use',
  mooncakeStoreOperation: 'each operation in the connector’s stats',
  mooncakeStoreOperationKeys: 'keys of each operation',
  mooncakeStoreOperationBytes: 'bytes of each operation',
  mooncakeStoreOperationFailedKeys: 'failed keys of each operation',
};

/** Families that are computed at scrape, and this library's own. */
export const WHEN_COMPUTED: Readonly<Record<string, string>> = {
  'vllm:lora_requests_info':
    'computed at scrape from the live requests with a `loraName`; the value is the time in Unix seconds; one series for all models, none while no adapter is in use, with `maxLora` two empty lists; `max_lora` only with the option `maxLora`',
  'vllm:cache_config_info': 'set by `setCacheConfig`, always 1; one label for each field, no `model_name`',
  'vllm:admission_rejections_total': 'each `recordAdmissionRejection`; without `engine`',
  rx_engine_metrics_requests_in_flight: 'requests subscribed and not yet ended',
  rx_engine_metrics_invalid_values_total: 'each value that was not recorded as it came, by its field',
  rx_engine_metrics_engine_last_step_timestamp_seconds:
    'each step of the engine: the wall clock; not there before the first',
};
