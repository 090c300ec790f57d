/**
 * When a prefix cache was last emptied. The stats log keeps a hit rate over idle intervals; of an emptied cache it has
 * to forget it, and to count from there.
 * @see vllm/v1/metrics/stats.py `CachingMetrics.observe`
 */
export class CacheResets {
  /** How often the cache was emptied. */
  count = 0;
  /** Tokens looked up, and found, when it last was: the counters go on. */
  queries = 0;
  hits = 0;

  note(queries: number, hits: number): void {
    this.count++;
    this.queries = queries;
    this.hits = hits;
  }
}
