/**
 * What an engine core tells its frontend after a step, in camelCase of the wire fields: types only.
 * Optional fields may be absent, `undefined` or `null`; older engines leave them out.
 * @see vllm/v1/engine/__init__.py `EngineCoreOutputs`, `EngineCoreOutput`; vllm/v1/metrics/stats.py `PrefillStats`
 */
import type { EngineCoreEvent, FinishReason } from './engine-core-event.js';
import type { Optional } from './optional.js';
import type { SchedulerStats } from './scheduler-stats.js';

/**
 * Where a prompt's tokens came from, in tokens. Sent once, with the request's first output. In good stats cached is
 * local plus external, and computed is the prompt less the cached.
 */
export interface PrefillStats {
  /** Tokens of the whole prompt. */
  readonly numPromptTokens?: Optional<number>;
  /** Tokens that this engine computed; of a fully cached prompt still one. */
  readonly numComputedTokens?: Optional<number>;
  /** Tokens found in a cache, local or external. */
  readonly numCachedTokens?: Optional<number>;
  /** Tokens found in the engine's own prefix cache. */
  readonly numLocalCachedTokens?: Optional<number>;
  /** Tokens that a KV connector supplied. */
  readonly numExternalCachedTokens?: Optional<number>;
  /** Tokens newly written to the prefix cache; not recorded. */
  readonly numCacheCreationTokens?: Optional<number>;
}

/** One request's part of an engine step. */
export interface EngineCoreOutput {
  readonly requestId: string;
  /** The ids of the tokens it brings; recording counts by its length only. */
  readonly newTokenIds: readonly number[];
  readonly newLogprobs?: unknown;
  readonly newPromptLogprobsTensors?: unknown;
  readonly poolingOutput?: unknown;
  /** There on a request's last output, and on no other. */
  readonly finishReason?: Optional<FinishReason>;
  /** The stop string, or the id of the stop token. */
  readonly stopReason?: Optional<number | string>;
  /** What happened to the request since its last output, oldest first. */
  readonly events?: Optional<readonly EngineCoreEvent[]>;
  readonly kvTransferParams?: Optional<Readonly<Record<string, unknown>>>;
  readonly ecTransferParams?: Optional<Readonly<Record<string, unknown>>>;
  readonly traceHeaders?: Optional<Readonly<Record<string, unknown>>>;
  /** There on a request's first output. */
  readonly prefillStats?: Optional<PrefillStats>;
  readonly routedExperts?: unknown;
  /** NaNs in the logits of this step; more than 0 marks the request as corrupted. */
  readonly numNansInLogits?: Optional<number>;
  readonly mmCacheMissHashes?: Optional<readonly string[]>;
  readonly newSamplingMask?: unknown;
  /** There on a request's last output. */
  readonly specDecodeMetrics?: Optional<Readonly<Record<string, unknown>>>;
  readonly promptTokenIdLogprobs?: unknown;
}

/** One engine step. */
export interface EngineCoreOutputs {
  /** The engine's number, from 0: the label `engine`. */
  readonly engineIndex: number;
  /** One for each request that has something to say; may be empty. */
  readonly outputs: readonly EngineCoreOutput[];
  /** An engine with several frontends sends each step's stats to one of them only. */
  readonly schedulerStats?: Optional<SchedulerStats>;
  /** Seconds of the engine's monotonic clock, one time for all outputs of the step. */
  readonly timestamp: number;
  readonly utilityOutput?: Optional<UtilityOutput>;
  /** Ids of requests that the engine knows no more. */
  readonly finishedRequests?: Optional<readonly string[]>;
  /** The number of a wave that ended; data parallel engines only. */
  readonly waveComplete?: Optional<number>;
  /** The number of a wave that begins; data parallel engines only. */
  readonly startWave?: Optional<number>;
  /** Which weights the engine runs; since release 0.32.0. */
  readonly weightVersion?: Optional<string>;
}

/** The answer to a utility call. */
export interface UtilityOutput {
  readonly callId: number | bigint;
  /** There if the call failed. */
  readonly failureMessage?: Optional<string>;
  readonly result?: unknown;
}

/** One output on its way to one request: what {@link EngineCoreOutputs} said of it. */
export interface EngineCoreStreamOutput {
  /** The engine that made it, from 0. */
  readonly engineIndex: number;
  /** Seconds of that engine's monotonic clock. */
  readonly timestamp: number;
  readonly output: EngineCoreOutput;
}
