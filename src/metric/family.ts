import { BucketIndex } from './bucket-index.js';
import { CellSlabs } from './cell-slabs.js';
import { Counter } from './counter.js';
import { describeMetric, type MetricDescriptor, type MetricType } from './descriptor.js';
import { Gauge } from './gauge.js';
import { Histogram } from './histogram.js';
import { Series } from './series.js';

/** What `labels(...)` of a family gives. */
export interface HandleByType {
  counter: Counter;
  gauge: Gauge;
  histogram: Histogram;
}

/** All series of one metric name. */
export class MetricFamily<T extends MetricType = MetricType> {
  readonly descriptor: MetricDescriptor;
  readonly buckets: BucketIndex | undefined;
  /** Grows with every series that comes, goes, hides or shows: a reader's sign to look again. */
  version = 0;
  /** How often all series were reset: a reader that remembers old values asks for it. */
  resets = 0;
  readonly #series = new Map<string, Series>();
  /** Cells of a series. */
  readonly #size: number;
  readonly #slabs: CellSlabs;

  /** @throws {TypeError | RangeError} as {@link describeMetric} does. */
  constructor(descriptor: MetricDescriptor) {
    this.descriptor = describeMetric(descriptor);
    this.buckets = descriptor.type === 'histogram' ? new BucketIndex(this.descriptor.upperBounds) : undefined;
    this.#size = this.buckets === undefined ? 1 : this.descriptor.upperBounds.length + 2;
    this.#slabs = new CellSlabs(this.#size);
  }

  /**
   * Gets or makes the series of these label values, in the descriptor's order.
   * @throws {RangeError} if their number differs.
   */
  series(...values: readonly string[]): Series {
    // A lone surrogate cannot be written as UTF-8: the page and `getMetricsAsJSON` must name the same series.
    const written = values.map((value) => value.toWellFormed());
    const key = JSON.stringify(written);
    const known = this.#series.get(key);
    if (known !== undefined) return known;
    const made = this.#make(written, this.#slabs);
    this.#series.set(key, made);
    this.version++;
    return made;
  }

  /** Gets or makes the series of these label values and gives a handle of its cells. */
  labels(...values: readonly string[]): HandleByType[T] {
    return handleOf<T>(this, this.series(...values));
  }

  /** A series of these label values that is on no page. */
  orphan(...values: readonly string[]): Series {
    return this.#make(values, new CellSlabs(this.#size));
  }

  /** The series on the page, in the order of their making. */
  *visible(): IterableIterator<Series> {
    for (const series of this.#series.values()) if (!series.hidden) yield series;
  }

  /** All series, hidden ones too. */
  all(): IterableIterator<Series> {
    return this.#series.values();
  }

  /** Sets all cells to 0, those of hidden series too. */
  reset(): void {
    for (const series of this.#series.values()) series.reset();
    this.resets++;
  }

  hide(series: Series, hidden: boolean): void {
    if (series.hidden === hidden) return;
    series.hidden = hidden;
    this.version++;
  }

  remove(series: Series): void {
    const key = JSON.stringify(Object.values(series.labels));
    if (this.#series.get(key) !== series) return; // another one of these labels is there meanwhile
    this.#series.delete(key);
    this.version++;
  }

  #make(values: readonly string[], slabs: CellSlabs): Series {
    const { name, labelNames } = this.descriptor;
    if (values.length !== labelNames.length) {
      throw new RangeError(`${name}: expected ${labelNames.length} label values, got ${values.length}`);
    }
    const labels = Object.fromEntries(labelNames.map((label, i) => [label, values[i]!]));
    return new Series(labels, slabs.take(), this.#size);
  }
}

/** A handle of a series' cells. */
export function handleOf<T extends MetricType>(family: MetricFamily, series: Series): HandleByType[T] {
  const { type } = family.descriptor;
  const { cells } = series;
  // The cast ties the type parameter to the descriptor's `type`, which the compiler cannot follow.
  if (type === 'histogram') return new Histogram(cells, family.buckets!) as HandleByType[T];
  return (type === 'counter' ? new Counter(cells) : new Gauge(cells)) as HandleByType[T];
}
