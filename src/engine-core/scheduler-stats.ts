/**
 * What an engine's scheduler tells of itself after a step, in camelCase of the wire fields: types only.
 * @see vllm/v1/metrics/stats.py `SchedulerStats`; vllm/v1/spec_decode/metrics.py; vllm/v1/metrics/perf.py
 */
import type { Optional } from './optional.js';

/** Prefix-cache look-ups since the last stats; those of preempted requests are kept apart. */
export interface PrefixCacheStats {
  /** True if the cache was emptied since the last stats. */
  readonly reset?: Optional<boolean>;
  /** Requests that looked up. */
  readonly requests?: Optional<number>;
  /** Tokens looked up. */
  readonly queries?: Optional<number>;
  /** Tokens found. */
  readonly hits?: Optional<number>;
  /** Requests that looked up again after a preemption. */
  readonly preemptedRequests?: Optional<number>;
  /** Tokens that those looked up. */
  readonly preemptedQueries?: Optional<number>;
  /** Tokens that those found. */
  readonly preemptedHits?: Optional<number>;
  /** Tokens found, by cache tier; only the tiers that had any. */
  readonly hitsBySource?: Optional<Readonly<Record<string, number>>>;
}

/** The life of one sampled KV block that was evicted. */
export interface KVCacheEvictionEvent {
  /** Seconds from allocation to eviction. */
  readonly lifetimeSeconds?: Optional<number>;
  /** Seconds from the last access to eviction. */
  readonly idleSeconds?: Optional<number>;
  /** Seconds between one access and the next. */
  readonly reuseGapsSeconds?: Optional<readonly number[]>;
}

/** Speculative decoding since the last stats. */
export interface SpecDecodingStats {
  /** Positions of a draft: the tokens that one draft can have at most. */
  readonly numSpecTokens?: Optional<number>;
  /** Drafts made. */
  readonly numDrafts?: Optional<number>;
  /** Tokens drafted. */
  readonly numDraftTokens?: Optional<number>;
  /** Drafted tokens that were accepted. */
  readonly numAcceptedTokens?: Optional<number>;
  /** Drafted tokens that were accepted, by position in the draft. */
  readonly numAcceptedTokensPerPos?: Optional<readonly number[]>;
  /** Tokens drafted, by position in the draft; not recorded. */
  readonly numDraftTokensPerPos?: Optional<readonly number[]>;
}

/** Model FLOPs utilisation since the last stats: estimates, for each GPU. */
export interface PerfStats {
  /** Floating point operations. */
  readonly numFlopsPerGpu?: Optional<number>;
  /** Bytes read from memory. */
  readonly numReadBytesPerGpu?: Optional<number>;
  /** Bytes written to memory. */
  readonly numWriteBytesPerGpu?: Optional<number>;
  readonly debugStats?: unknown;
}

/** An engine's scheduler after a step. */
export interface SchedulerStats {
  /** Requests in the running batch. */
  readonly numRunningReqs?: Optional<number>;
  /** Requests that wait for capacity. */
  readonly numWaitingReqs?: Optional<number>;
  /** Requests that are deferred; they wait as well. */
  readonly numSkippedWaitingReqs?: Optional<number>;
  /** Requests whose KV is being fetched, by stage of the fetch. */
  readonly numKvFetchReqsByStage?: Optional<Readonly<Record<string, number>>>;
  /** Steps so far; data parallel engines only. */
  readonly stepCounter?: Optional<number>;
  /** The number of the wave; data parallel engines only. */
  readonly currentWave?: Optional<number>;
  /** The share of the KV cache in use, 0 to 1. */
  readonly kvCacheUsage?: Optional<number>;
  readonly iterationDetails?: unknown;
  /** The engine's own prefix cache. */
  readonly prefixCacheStats?: Optional<PrefixCacheStats>;
  /** The cache that a KV connector leads to. */
  readonly connectorPrefixCacheStats?: Optional<PrefixCacheStats>;
  /** Sampled KV blocks that were evicted since the last stats. */
  readonly kvCacheEvictionEvents?: Optional<readonly KVCacheEvictionEvent[]>;
  readonly specDecodingStats?: Optional<SpecDecodingStats>;
  /** A connector's payload, told apart by its shape; keys that are data stay as they came. */
  readonly kvConnectorStats?: Optional<Readonly<Record<string, unknown>>>;
  readonly ecConnectorStats?: unknown;
  /** Waiting requests by LoRA adapter: empty on the wire. */
  readonly waitingLoraAdapters?: Optional<Readonly<Record<string, number>>>;
  /** Running requests by LoRA adapter: empty on the wire. */
  readonly runningLoraAdapters?: Optional<Readonly<Record<string, number>>>;
  readonly cudagraphStats?: unknown;
  readonly perfStats?: Optional<PerfStats>;
}
