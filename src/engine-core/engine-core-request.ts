/**
 * What a frontend asks of an engine core, in camelCase of the wire's 21 fields: types only.
 * @see vllm/v1/engine/__init__.py `EngineCoreRequest`; rust/src/engine-core-client/src/protocol
 */
import type { Optional } from './optional.js';
import type { SamplingParams } from './sampling-params.js';

/** An adapter that an engine has loaded, or loads for this request. */
export interface LoraRequest {
  readonly loraName: string;
  /** From 1 on. */
  readonly loraIntId: number;
  readonly loraPath: string;
  readonly baseModelName?: Optional<string>;
  readonly tensorizerConfigDict?: Optional<Readonly<Record<string, unknown>>>;
  readonly loadInplace?: Optional<boolean>;
  readonly is3dLoraWeight?: Optional<boolean>;
}

/** One sequence to generate. What is absent is sent as the wire's default. */
export interface EngineCoreRequest {
  /** Never to be used twice in an engine's life: a Python engine dies of it. */
  readonly requestId: string;
  readonly promptTokenIds: readonly number[] | Uint8Array | Uint16Array | Uint32Array | Int32Array;
  /** Multimodal inputs; ones with large tensors need frames of their own, which are not written. */
  readonly mmFeatures?: Optional<readonly unknown[]>;
  /** Null only for a pooling request; absent are the defaults. */
  readonly samplingParams?: Optional<SamplingParams>;
  /** Given to a pooling model as they are. */
  readonly poolingParams?: unknown;
  /** Unix seconds; now, if absent. */
  readonly arrivalTime?: Optional<number>;
  /** An array is sent as it is: releases differ in its length. */
  readonly loraRequest?: Optional<LoraRequest | readonly unknown[]>;
  readonly cacheSalt?: Optional<string>;
  /** A wish for an engine. */
  readonly dataParallelRank?: Optional<number>;
  readonly promptEmbeds?: unknown;
  readonly promptIsTokenIds?: Optional<readonly boolean[]>;
  /** Which of an engine's frontends gets the outputs; one that it does not have ends it. */
  readonly clientIndex?: Optional<number>;
  readonly currentWave?: Optional<number>;
  readonly priority?: Optional<number>;
  readonly traceHeaders?: Optional<Readonly<Record<string, string>>>;
  readonly resumable?: Optional<boolean>;
  readonly externalReqId?: Optional<string>;
  readonly reasoningEnded?: Optional<boolean>;
  readonly reasoningParserKwargs?: Optional<Readonly<Record<string, unknown>>>;
  readonly abortImmediately?: Optional<boolean>;
  readonly sessionId?: Optional<string>;
}
