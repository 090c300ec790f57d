import type { FinishReason } from '../../engine-core/engine-core-event.js';
import type { EngineCoreStreamOutput } from '../../engine-core/engine-core-outputs.js';
import type { DiagnosticSource } from '../diagnostics.js';
import type { EngineTimings } from '../finished-request-stats.js';
import type { TokenSource } from '../recording-context.js';

/** Counts of a request as a server reports them, in tokens; what is absent stays as it was. */
export interface RequestUsage {
  readonly promptTokens?: number | undefined;
  /** Part of the prompt. */
  readonly cachedTokens?: number | undefined;
  readonly completionTokens?: number | undefined;
  /** Times that the engine measured itself, for `finishedRequests`. */
  readonly timings?: EngineTimings | undefined;
}

/**
 * One request without a stream of RxJS: whoever sees its tokens tells them. Recorded as `withRequestMetrics` records a
 * subscription: one terminal record, with the first end; after it nothing counts. No method throws.
 */
export interface RequestHandle {
  /** The request's n parameter: choices of one prompt. */
  readonly n: number;
  /** True once this sequence's record is written. */
  readonly ended: boolean;
  /** The frontend's clock in seconds: one stamp for tokens that came together. */
  now(): number;
  /** Records an engine's output; its finish reason ends the request. */
  next(value: EngineCoreStreamOutput): void;
  /**
   * Records tokens that came now, or at `timestamp`, in seconds of any one monotonic clock.
   * @param source how they were counted; `chunks` if it is not said
   */
  tokens(count: number, timestamp?: number, source?: TokenSource): void;
  /**
   * Takes a server's counts, at any time before the end; the last valid figure stands. Totals are corrected upward or
   * not at all, for counters never go back; it makes no inter-token sample.
   */
  usage(usage: RequestUsage): void;
  /** Ends this sequence. */
  end(reason: FinishReason): void;
  /** Ends it as `error`; of a handle that is no choice, all its open choices too. */
  fail(): void;
  /**
   * One of the `n` sequences, made at the first call; 0 is the handle itself. Each has a terminal record of its own, as
   * vLLM's children have; `n` and the longest generation are observed once a prompt. An index beyond `n` belongs to a
   * further prompt.
   */
  choice(index: number): RequestHandle;
  /** Ends what is still open as `abort`, all choices included: for `using`, or a `finally`. */
  [Symbol.dispose](): void;
  /** @internal */
  report(source: DiagnosticSource, message: string, value: unknown): void;
  /**
   * For tokens that only usage told of: when the first and the last must have been made, by {@link now}.
   * @internal
   */
  span(first: number, last: number): void;
}
