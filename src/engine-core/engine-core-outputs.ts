/**
 * What an engine core tells its frontend, in camelCase of the wire fields: types only.
 * Optional fields may be absent, `undefined` or `null`; older engines leave them out.
 * @see vllm/v1/engine/__init__.py, vllm/v1/metrics/stats.py
 */

/** A field that an engine may leave out or send as nil. */
export type Optional<T> = T | null | undefined;

/** Why a request ended. */
export type FinishReason = 'stop' | 'length' | 'abort' | 'error' | 'repetition';

/** What happened to a request inside the engine. */
export type EngineCoreEventType = 'queued' | 'scheduled' | 'preempted';

/** An event; `timestamp` in seconds of the engine's monotonic clock, never to be compared across processes. */
export interface EngineCoreEvent {
  readonly type: EngineCoreEventType;
  readonly timestamp: number;
}

/** Where a prompt's tokens came from; taken once, with the first emitted output. Unit: tokens. */
export interface PrefillStats {
  readonly numPromptTokens?: Optional<number>;
  readonly numComputedTokens?: Optional<number>;
  readonly numCachedTokens?: Optional<number>;
  readonly numLocalCachedTokens?: Optional<number>;
  readonly numExternalCachedTokens?: Optional<number>;
  readonly numCacheCreationTokens?: Optional<number>;
}

/** One request's part of an engine step. */
export interface EngineCoreOutput {
  readonly requestId: string;
  readonly newTokenIds: readonly number[];
  readonly newLogprobs?: unknown;
  readonly newPromptLogprobsTensors?: unknown;
  readonly poolingOutput?: unknown;
  readonly finishReason?: Optional<FinishReason>;
  readonly stopReason?: Optional<number | string>;
  readonly events?: Optional<readonly EngineCoreEvent[]>;
  readonly kvTransferParams?: Optional<Readonly<Record<string, unknown>>>;
  readonly ecTransferParams?: Optional<Readonly<Record<string, unknown>>>;
  readonly traceHeaders?: Optional<Readonly<Record<string, unknown>>>;
  readonly prefillStats?: Optional<PrefillStats>;
  readonly routedExperts?: unknown;
  readonly numNansInLogits?: Optional<number>;
  readonly mmCacheMissHashes?: Optional<readonly string[]>;
  readonly newSamplingMask?: unknown;
  readonly specDecodeMetrics?: Optional<Readonly<Record<string, unknown>>>;
  readonly promptTokenIdLogprobs?: unknown;
}

/** One engine step; `timestamp` in seconds of the engine's monotonic clock, one for all its outputs. */
export interface EngineCoreOutputs {
  readonly engineIndex: number;
  readonly outputs: readonly EngineCoreOutput[];
  readonly schedulerStats?: Optional<SchedulerStats>;
  readonly timestamp: number;
  readonly utilityOutput?: Optional<UtilityOutput>;
  readonly finishedRequests?: Optional<readonly string[]>;
  readonly waveComplete?: Optional<number>;
  readonly startWave?: Optional<number>;
}

/** The answer to a utility call. */
export interface UtilityOutput {
  readonly callId: number | bigint;
  readonly failureMessage?: Optional<string>;
  readonly result?: unknown;
}

/** One output on its way to one request: what {@link EngineCoreOutputs} said of it. */
export interface EngineCoreStreamOutput {
  readonly engineIndex: number;
  /** Seconds, engine monotonic clock. */
  readonly timestamp: number;
  readonly output: EngineCoreOutput;
}

/** Prefix-cache look-ups since the last stats, in tokens; preempted look-ups are kept apart. */
export interface PrefixCacheStats {
  readonly reset?: Optional<boolean>;
  readonly requests?: Optional<number>;
  readonly queries?: Optional<number>;
  readonly hits?: Optional<number>;
  readonly preemptedRequests?: Optional<number>;
  readonly preemptedQueries?: Optional<number>;
  readonly preemptedHits?: Optional<number>;
  /** Sparse: cache tier to tokens. */
  readonly hitsBySource?: Optional<Readonly<Record<string, number>>>;
}

/** One sampled KV block's life, in seconds. */
export interface KVCacheEvictionEvent {
  readonly lifetimeSeconds?: Optional<number>;
  readonly idleSeconds?: Optional<number>;
  readonly reuseGapsSeconds?: Optional<readonly number[]>;
}

/** Speculative decoding since the last stats. */
export interface SpecDecodingStats {
  readonly numSpecTokens?: Optional<number>;
  readonly numDrafts?: Optional<number>;
  readonly numDraftTokens?: Optional<number>;
  readonly numAcceptedTokens?: Optional<number>;
  readonly numAcceptedTokensPerPos?: Optional<readonly number[]>;
  readonly numDraftTokensPerPos?: Optional<readonly number[]>;
}

/** Model FLOPs utilisation: estimates per GPU since the last stats. */
export interface PerfStats {
  readonly numFlopsPerGpu?: Optional<number>;
  readonly numReadBytesPerGpu?: Optional<number>;
  readonly numWriteBytesPerGpu?: Optional<number>;
  readonly debugStats?: unknown;
}

/** An engine's scheduler after a step. */
export interface SchedulerStats {
  readonly numRunningReqs?: Optional<number>;
  readonly numWaitingReqs?: Optional<number>;
  /** Deferred requests. */
  readonly numSkippedWaitingReqs?: Optional<number>;
  readonly numKvFetchReqsByStage?: Optional<Readonly<Record<string, number>>>;
  readonly stepCounter?: Optional<number>;
  readonly currentWave?: Optional<number>;
  /** A fraction, 0 to 1. */
  readonly kvCacheUsage?: Optional<number>;
  readonly iterationDetails?: unknown;
  readonly prefixCacheStats?: Optional<PrefixCacheStats>;
  readonly connectorPrefixCacheStats?: Optional<PrefixCacheStats>;
  readonly kvCacheEvictionEvents?: Optional<readonly KVCacheEvictionEvent[]>;
  readonly specDecodingStats?: Optional<SpecDecodingStats>;
  /** A connector's payload, told apart by its shape; keys that are data stay as they came. */
  readonly kvConnectorStats?: Optional<Readonly<Record<string, unknown>>>;
  readonly ecConnectorStats?: unknown;
  readonly waitingLoraAdapters?: Optional<Readonly<Record<string, number>>>;
  readonly runningLoraAdapters?: Optional<Readonly<Record<string, number>>>;
  readonly cudagraphStats?: unknown;
  readonly perfStats?: Optional<PerfStats>;
}
