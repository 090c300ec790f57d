import type { FinishReason } from '../../engine-core/engine-core-event.js';
import type { CounterHandle, GaugeHandle, HistogramHandle } from '../../metric/public-handles.js';

/** Where a prompt's tokens came from, in tokens. */
export interface PromptTokensBySource {
  readonly localCompute: CounterHandle;
  readonly localCacheHit: CounterHandle;
  readonly externalKvTransfer: CounterHandle;
}

/** Requests that wait, by why. */
export interface WaitingByReason {
  readonly capacity: GaugeHandle;
  readonly deferred: GaugeHandle;
}

/** Requests whose KV is being fetched, by stage of the fetch. */
export interface KvFetchStages {
  readonly waitingToStart: GaugeHandle;
  readonly inProgress: GaugeHandle;
  readonly completedWaiting: GaugeHandle;
}

/** Exactly one of them is 1, the others are 0. */
export interface SleepStates {
  readonly awake: GaugeHandle;
  readonly weightsOffloaded: GaugeHandle;
  readonly discardAll: GaugeHandle;
}

/** Cached prompt tokens by cache tier. */
export interface CachedTokensBySource {
  readonly device: CounterHandle;
  readonly host: CounterHandle;
  readonly p2p: CounterHandle;
  readonly disk: CounterHandle;
  readonly externalUnspecified: CounterHandle;
}

/**
 * One engine's handles, resolved once: recording through a field looks no label up. Fields are named as the families,
 * without prefix and `_total`, in camelCase; a family with one more label is a struct by that label's value.
 */
export interface EngineMetrics {
  /** Preemptions. */
  readonly numPreemptions: CounterHandle;
  /** Tokens of prompts, cached ones included. */
  readonly promptTokens: CounterHandle;
  /** Tokens of prompts, by where they came from. */
  readonly promptTokensBySource: PromptTokensBySource;
  /** Tokens of prompts found in a cache, local or external. */
  readonly promptTokensCached: CounterHandle;
  /** Tokens generated. */
  readonly generationTokens: CounterHandle;
  /** Ended requests, by why; errors and aborts too. */
  readonly requestSuccess: Readonly<Record<FinishReason, CounterHandle>>;
  /** Ended requests that had NaN in their logits. */
  readonly corruptedRequests: CounterHandle;
  /** Tokens of the prompt, a sample for each ended request, as all that begin with `request`. */
  readonly requestPromptTokens: HistogramHandle;
  /** Tokens generated. */
  readonly requestGenerationTokens: HistogramHandle;
  /** Tokens of the longest of a request's n sequences. */
  readonly requestMaxNumGenerationTokens: HistogramHandle;
  /** The max_tokens parameter, in tokens. */
  readonly requestParamsMaxTokens: HistogramHandle;
  /** The n parameter: sequences. */
  readonly requestParamsN: HistogramHandle;
  /** Preemptions, 0 included. */
  readonly requestNumPreemptions: HistogramHandle;
  /** Tokens of the prompt that were in no cache. */
  readonly requestPrefillKvComputedTokens: HistogramHandle;
  /** Seconds from arrival to the first token; frontend clock. */
  readonly timeToFirstTokenSeconds: HistogramHandle;
  /** Seconds between two outputs with tokens; engine clock. */
  readonly interTokenLatencySeconds: HistogramHandle;
  /** Seconds for each token after the first, the mean over a request; engine clock. */
  readonly requestTimePerOutputTokenSeconds: HistogramHandle;
  /** Seconds from arrival to the end; frontend clock. */
  readonly e2eRequestLatencySeconds: HistogramHandle;
  /** Seconds from queued to first scheduled; engine clock. */
  readonly requestQueueTimeSeconds: HistogramHandle;
  /** Seconds from first scheduled to the first token; engine clock. */
  readonly requestPrefillTimeSeconds: HistogramHandle;
  /** Seconds from the first token to the last; engine clock. */
  readonly requestDecodeTimeSeconds: HistogramHandle;
  /** Seconds from first scheduled to the last token; engine clock. */
  readonly requestInferenceTimeSeconds: HistogramHandle;
  /** Requests subscribed and not yet ended, as this frontend sees them. */
  readonly requestsInFlight: GaugeHandle;
  /** Requests in the running batch. */
  readonly numRequestsRunning: GaugeHandle;
  /** Requests that wait, deferred ones included. */
  readonly numRequestsWaiting: GaugeHandle;
  /** Requests that wait, by why. */
  readonly numRequestsWaitingByReason: WaitingByReason;
  /** Requests whose KV is being fetched, by stage of the fetch. */
  readonly numRequestsKvFetchByStage: KvFetchStages;
  /** The share of the KV cache in use, 0 to 1. */
  readonly kvCacheUsagePerc: GaugeHandle;
  /** 1 for the state the engine is in. */
  readonly engineSleepState: SleepStates;
  /** Prompt tokens looked up in the prefix cache. */
  readonly prefixCacheQueries: CounterHandle;
  /** Prompt tokens found in the prefix cache. */
  readonly prefixCacheHits: CounterHandle;
  /** Prompt tokens asked from the KV connector. */
  readonly externalPrefixCacheQueries: CounterHandle;
  /** Prompt tokens that the KV connector could supply. */
  readonly externalPrefixCacheHits: CounterHandle;
  /** Prompt tokens found in a cache, by its tier. */
  readonly promptTokensCachedBySource: CachedTokensBySource;
  /** Items looked up in the multimodal cache. */
  readonly mmCacheQueries: CounterHandle;
  /** Items found in the multimodal cache. */
  readonly mmCacheHits: CounterHandle;
  /** Tokens of a step: generated ones and prompt tokens computed; a sample for each step with outputs. */
  readonly iterationTokens: HistogramHandle;
  /** Drafts of speculative decoding. */
  readonly specDecodeNumDrafts: CounterHandle;
  /** Tokens drafted. */
  readonly specDecodeNumDraftTokens: CounterHandle;
  /** Drafted tokens that were accepted. */
  readonly specDecodeNumAcceptedTokens: CounterHandle;
  /** Drafted tokens that were accepted, by position in the draft; with `numSpecTokens` from the start, else with the first stats that name it, for all engines. */
  readonly specDecodeNumAcceptedTokensPerPos: readonly CounterHandle[];
  /** Floating point operations, an estimate for each GPU. */
  readonly estimatedFlopsPerGpu: CounterHandle;
  /** Bytes read from memory, an estimate for each GPU. */
  readonly estimatedReadBytesPerGpu: CounterHandle;
  /** Bytes written to memory, an estimate for each GPU. */
  readonly estimatedWriteBytesPerGpu: CounterHandle;
  /** Seconds from allocation to eviction, a sample for each sampled KV block. */
  readonly kvBlockLifetimeSeconds: HistogramHandle;
  /** Seconds from the last access to eviction, a sample for each sampled KV block. */
  readonly kvBlockIdleBeforeEvictSeconds: HistogramHandle;
  /** Seconds between two accesses of a sampled KV block. */
  readonly kvBlockReuseGapSeconds: HistogramHandle;
}
