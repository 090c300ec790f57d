import type { SchedulerLike } from 'rxjs';
import type { EngineCoreRequestLike, SimulatedRequest } from './request.js';

/** How long one engine step takes: base + per prefill token + per decoding sequence, in milliseconds. */
export interface StepTimeOptions {
  /** Default 6. Must be above 0, or time would stand still. */
  readonly baseMs?: number | undefined;
  /** Default 0.04, that is 25,000 prompt tokens a second. */
  readonly perPrefillTokenMs?: number | undefined;
  /** Default 0.03. */
  readonly perDecodeSeqMs?: number | undefined;
  /** A step takes up to this share longer or shorter, drawn from the seed. 0 (default) up to 1, exclusive. */
  readonly jitter?: number | undefined;
}

/** Speculative decoding: a draft of a few tokens a step, accepted from the front until the first refusal. */
export interface SpecDecodingOptions {
  /** Tokens drafted a step, at least 1. */
  readonly numSpecTokens: number;
  /** Chance that a position is accepted, given that all before it were; one for all, or one a position. */
  readonly acceptanceRate: number | readonly number[];
}

/** Which connector moves KV blocks: it decides the shape of `kvConnectorStats`. */
export type KVConnectorKind = 'nixl' | 'mooncake-store' | 'multi';

/** KV blocks that come from outside of the engine. */
export interface KVConnectorOptions {
  readonly kind: KVConnectorKind;
  /** Chance that a new prompt lies ready on the other side. Default 0.5. */
  readonly hitRate?: number | undefined;
  /** Chance that a transfer fails; its tokens are computed here then. Default 0. */
  readonly failureRate?: number | undefined;
  /** The tier of `hitsBySource`. Default `p2p` for NIXL, `host` otherwise. */
  readonly source?: string | undefined;
  /** Default 131,072, a Llama 3.1 8B in bfloat16. */
  readonly bytesPerToken?: number | undefined;
}

/** Sizes that the MFU estimates are made of. */
export interface PerfModelOptions {
  /** Default 8e9. */
  readonly numParameters?: number | undefined;
  /** Default 2 (bfloat16). */
  readonly bytesPerParameter?: number | undefined;
  /** Default 131,072. */
  readonly kvBytesPerToken?: number | undefined;
}

/** What an engine does about a client's abort, beside freeing its blocks. */
export type AbortReply = 'final-output' | 'finished-requests' | 'silent';

/** One engine's limits and habits; the same for all engines of a fleet. */
export interface EngineOptions {
  /** Token budget of a step (`max_num_batched_tokens`). Default 8,192. */
  readonly maxNumBatchedTokens?: number | undefined;
  /** Sequences that run at once (`max_num_seqs`). Default 256. */
  readonly maxNumSeqs?: number | undefined;
  /** Tokens in a KV block. Default 16; Mooncake's traces use 512. */
  readonly blockSize?: number | undefined;
  /** KV blocks of an engine. Default 16,384. */
  readonly numKvBlocks?: number | undefined;
  /** Prompt and output together; at most (default) what all KV blocks hold. Longer outputs end in `length`. */
  readonly maxModelLen?: number | undefined;
  /** Default true. Without it a prompt must fit into one step. */
  readonly chunkedPrefill?: boolean | undefined;
  /** Default true. */
  readonly prefixCaching?: boolean | undefined;
  readonly stepTime?: StepTimeOptions | undefined;
  /** Chance that a request ends in `error` after some of its tokens. Default 0. */
  readonly errorRate?: number | undefined;
  /**
   * Default `final-output`: an empty output with reason `abort`. `finished-requests` names the id without an
   * output, `silent` (today's Python engines) sends nothing.
   */
  readonly abortReply?: AbortReply | undefined;
  readonly specDecoding?: SpecDecodingOptions | undefined;
  /** Distinct adapters that may run at once; a request beyond is deferred (`numSkippedWaitingReqs`). */
  readonly maxLoras?: number | undefined;
  readonly kvConnector?: KVConnectorOptions | undefined;
  /** MFU estimates (`perfStats`); off without. */
  readonly perfModel?: PerfModelOptions | undefined;
  /** Share of cached KV blocks whose life is reported on eviction. Default 0. */
  readonly kvResidencySampleRate?: number | undefined;
  /** Counts `stepCounter` and `currentWave`, and sends `waveComplete` when all engines are idle. Default false. */
  readonly dataParallel?: boolean | undefined;
}

/** Options of `simulateEngines`. */
export interface SimulatorOptions extends EngineOptions {
  /** N for engines 0 to N-1, or the indexes. */
  readonly engines: number | readonly number[];
  /** Same seed, same options, same calls: same batches. Any whole number. */
  readonly seed: number;
  /** Virtual or real; its `now()` is the frontend's clock in milliseconds. */
  readonly scheduler: SchedulerLike;
  /** Requests in order of `arrivalTimeMs`, read one at a time; may be endless. */
  readonly requests?: Iterable<SimulatedRequest> | undefined;
  /** Entries of the fleet's multimodal cache (least recently used leaves). Default 1,024. */
  readonly multiModalCacheSize?: number | undefined;
  /** How many tokens a request off the wire generates. Default: its `maxTokens`, so that it ends in `length`. */
  readonly outputTokensOf?: ((request: EngineCoreRequestLike) => number) | undefined;
}
