import { assertWholeNumber } from '../checks.js';
import type { EngineHandles } from '../engines/engine-handles.js';

/** Where a parent's two samples go: the engine of the child that ended last. */
type ParentMetrics = Pick<EngineHandles, 'requestMaxNumGenerationTokens' | 'requestParamsN'>;

/**
 * A parent request with n sequences, shared by their n subscriptions: `n` and the longest generation, in tokens, are
 * observed once, with the end of the last of them, aborted ones included. Ends after the n-th (retries) are ignored.
 * Where some of the n may never start, {@link close} says that no more are to come.
 * @see vllm/v1/engine/parallel_sampling.py `ParentRequest.observe_finished_request`
 */
export class ParallelSampling {
  readonly n: number;
  #ended = 0;
  #longest = 0;
  #metrics: ParentMetrics | undefined;
  #isClosed = false;

  /** @throws {TypeError | RangeError} if `n` is not a whole number of at least 1. */
  constructor(n: number) {
    assertWholeNumber('parallelSampling.n', n, 1);
    this.n = n;
  }

  /**
   * No further child is to come: `n` and the longest generation are observed now, with the children that have ended,
   * on the engine of the last of them; without one nothing is. Children that end later count for nothing more, and
   * neither does a second call.
   */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#metrics?.requestMaxNumGenerationTokens.observe(this.#longest);
    this.#metrics?.requestParamsN.observe(this.n);
    this.#metrics = undefined;
  }

  /**
   * Takes note of a child's end.
   * @internal
   */
  childEnded(numGenerationTokens: number, metrics: ParentMetrics): void {
    if (this.#isClosed) return;
    this.#ended++;
    this.#longest = Math.max(this.#longest, numGenerationTokens);
    this.#metrics = metrics;
    if (this.#ended === this.n) this.close();
  }
}
