import type { Optional } from './optional.js';

/**
 * What an engine says of itself once it can serve: the ready response, in camelCase of the wire's keys.
 * @see vllm/v1/engine/core.py; rust/src/engine-core-client/src/protocol/handshake.rs
 */
export interface EngineReady {
  /** Tokens; over several engines the least of them holds. */
  readonly maxModelLen?: Optional<number>;
  /** 0 for a model without a KV cache. */
  readonly numGpuBlocks?: Optional<number>;
  /** Tokens of a KV block. */
  readonly blockSize?: Optional<number>;
  /** An external coordinator to connect to. */
  readonly dpStatsAddress?: Optional<string>;
  /** `float16`, `bfloat16` or `float32`. */
  readonly dtype?: Optional<string>;
  readonly vllmVersion?: Optional<string>;
  /** Tensor times pipeline parallel size. */
  readonly worldSize?: Optional<number>;
  readonly dataParallelSize?: Optional<number>;
  readonly tensorParallelSize?: Optional<number>;
  readonly pipelineParallelSize?: Optional<number>;
  readonly decodeContextParallelSize?: Optional<number>;
  /** The engine's index as it sees it; engines of a dense model may all say 0. */
  readonly dataParallelRank?: Optional<number>;
  readonly maxNumSeqs?: Optional<number>;
  readonly maxNumBatchedTokens?: Optional<number>;
  readonly instanceId?: Optional<string>;
  readonly kvCacheSizeTokens?: Optional<number>;
  /** How many requests of the greatest length the KV cache holds. */
  readonly kvCacheMaxConcurrency?: Optional<number>;
  readonly kvEventsConfig?: Optional<Readonly<Record<string, unknown>>>;
  readonly weightTransferBackend?: Optional<string>;
  readonly enableSleepMode?: Optional<boolean>;
  readonly supportsDraftWeightUpdates?: Optional<boolean>;
  readonly supportsLora?: Optional<boolean>;
  readonly maxLoras?: Optional<number>;
  readonly mambaBlockSize?: Optional<number>;
  readonly effectiveAttentionBlockSize?: Optional<number>;
}
