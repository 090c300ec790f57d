import type { PrefixCacheStats } from '../../engine-core/scheduler-stats.js';

/** Shared by all steps without a look-up: nothing is allocated for them. */
const NO_LOOK_UPS: PrefixCacheStats = statsOf(0, 0, 0, 0, 0, 0, undefined);

function statsOf(
  requests: number,
  queries: number,
  hits: number,
  preemptedRequests: number,
  preemptedQueries: number,
  preemptedHits: number,
  hitsBySource: Readonly<Record<string, number>> | undefined,
): PrefixCacheStats {
  return {
    reset: false,
    requests,
    queries,
    hits,
    preemptedRequests,
    preemptedQueries,
    preemptedHits,
    hitsBySource,
  };
}

/**
 * Prefix-cache look-ups since the last stats, in tokens. A request that was preempted before counts apart.
 * @see vllm/v1/metrics/stats.py `PrefixCacheStats.record`
 */
export class LookUpCounter {
  readonly #source: string | undefined;
  #requests = 0;
  #queries = 0;
  #hits = 0;
  #preemptedRequests = 0;
  #preemptedQueries = 0;
  #preemptedHits = 0;

  /** With a `source` the hits are also named by tier. */
  constructor(source?: string) {
    this.#source = source;
  }

  record(queries: number, hits: number, wasPreempted: boolean): void {
    if (wasPreempted) {
      this.#preemptedRequests++;
      this.#preemptedQueries += queries;
      this.#preemptedHits += hits;
    } else {
      this.#requests++;
      this.#queries += queries;
      this.#hits += hits;
    }
  }

  take(): PrefixCacheStats {
    if (this.#requests + this.#preemptedRequests === 0) return NO_LOOK_UPS;
    const bySource =
      this.#source !== undefined && this.#hits > 0 ? { [this.#source]: this.#hits } : undefined;
    const stats = statsOf(
      this.#requests,
      this.#queries,
      this.#hits,
      this.#preemptedRequests,
      this.#preemptedQueries,
      this.#preemptedHits,
      bySource,
    );
    this.#requests = this.#queries = this.#hits = 0;
    this.#preemptedRequests = this.#preemptedQueries = this.#preemptedHits = 0;
    return stats;
  }
}
