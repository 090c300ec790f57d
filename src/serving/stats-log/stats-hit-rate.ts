/** A cache's hit rate, 0 to 1, of the last interval that had queries; undefined before the first. */
export class HitRate {
  value: number | undefined;

  /** Ends an interval; one without queries keeps the rate, so that an idle tick does not read as a collapse. */
  update(queries: number, hits: number): number | undefined {
    // An engine that counts more hits than queries is broken, and a fraction above 1 would say so of the log.
    if (queries > 0) this.value = Math.min(hits / queries, 1);
    return this.value;
  }
}
