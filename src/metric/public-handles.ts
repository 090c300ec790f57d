/**
 * What a user may do with a resolved series. None of it throws, looks a label up or allocates; a number that cannot be
 * recorded is dropped, and so is all after the metrics were disposed.
 */

/** A series that only grows. */
export interface CounterHandle {
  /** Adds `n`, 1 by default; dropped unless it is a number from 0 to 1e200. */
  inc(n?: number): void;
  /** The total. */
  readonly value: number;
}

/** A series that is overwritten. */
export interface GaugeHandle {
  /** Sets the value; one that is not a number from -1e200 to 1e200 leaves the last one. */
  set(value: number): void;
  readonly value: number;
}

/** A series of samples, counted in buckets. */
export interface HistogramHandle {
  /** Adds a sample; dropped unless it is a number from 0 to 1e200. A value on a bound is in that bucket. */
  observe(value: number): void;
  /** How many samples were added. */
  readonly count: number;
  /** The samples added up. */
  readonly sum: number;
}
