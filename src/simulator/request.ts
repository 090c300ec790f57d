/** What a simulated engine is asked to do: the public request shapes. */

/** One request, described by its sizes. Unit of every `num…`: tokens. */
export interface SimulatedRequest {
  readonly requestId: string;
  /** At least 1, and below the engine's `maxModelLen`. */
  readonly numPromptTokens: number;
  /** Tokens the model would generate before it ends by itself, at least 1. */
  readonly numOutputTokens: number;
  /** The cap. `numOutputTokens >= maxTokens` ends in `length`, fewer in `stop`; without it always `stop`. */
  readonly maxTokens?: number | null | undefined;
  /** Milliseconds after the fleet's start; for `requests` only, 0 if absent; must not go back by order. */
  readonly arrivalTimeMs?: number | undefined;
  /** The engine to run on; without it the least loaded. */
  readonly engineIndex?: number | undefined;
  readonly loraName?: string | undefined;
  /**
   * One hash per KV block of the prompt, each standing for the whole prefix up to its block (as vLLM's and
   * Mooncake's do). Without them the prompt shares nothing. A hash of a block that is not full is ignored.
   */
  readonly blockHashes?: readonly (number | string)[] | undefined;
  /**
   * Overrides how it ends. `repetition`, `stop`, `length`: on its last token. `error` and `abort`: an empty
   * output one step after its last token, as an engine does that fails, or pauses.
   */
  readonly finishReason?: SimulatedEnding | undefined;
  /** Content hashes of images and the like, looked up in the fleet's multimodal cache. */
  readonly multiModalHashes?: readonly (number | string)[] | undefined;
}

/** How a simulated request can be told to end. */
export type SimulatedEnding = 'stop' | 'length' | 'abort' | 'error' | 'repetition';

/** The part of an `EngineCoreRequest` that a simulated engine reads. */
export interface EngineCoreRequestLike {
  readonly requestId: string;
  readonly promptTokenIds: ArrayLike<number>;
  readonly samplingParams?: { readonly maxTokens?: number | null | undefined } | null | undefined;
  /** The wire's array (name first) or an object with `loraName`. */
  readonly loraRequest?: unknown;
}

/** A request that has just been handed to an engine, before the engine's first output for it. */
export interface SubmittedRequest {
  readonly request: SimulatedRequest;
  readonly engineIndex: number;
  /** Milliseconds of the frontend's clock, which is the scheduler's `now()`. */
  readonly arrivalTimeMs: number;
}

/** One look-up in the frontend's multimodal cache. Unit: items. */
export interface MultiModalCacheQuery {
  readonly engineIndex: number;
  readonly queries: number;
  readonly hits: number;
}
