import { assertWholeNumber } from '../checks.js';

/**
 * A parent request with n sequences, shared by their n subscriptions: `n` and the longest generation are observed
 * once, with the end of the last of them, aborted ones included. Fewer ends: nothing; more (retries): ignored.
 * @see vllm/v1/engine/parallel_sampling.py `ParentRequest.observe_finished_request`
 */
export class ParallelSampling {
  readonly n: number;
  #ended = 0;
  #longest = 0;

  /** @throws {TypeError | RangeError} if `n` is not a whole number of at least 1. */
  constructor(n: number) {
    assertWholeNumber('parallelSampling.n', n, 1);
    this.n = n;
  }

  /**
   * Takes note of a child's end; gives the longest generation in tokens if it was the last, else undefined.
   * @internal
   */
  childEnded(numGenerationTokens: number): number | undefined {
    if (this.#ended === this.n) return undefined;
    this.#ended++;
    this.#longest = Math.max(this.#longest, numGenerationTokens);
    return this.#ended === this.n ? this.#longest : undefined;
  }
}
