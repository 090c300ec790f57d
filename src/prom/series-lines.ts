import type { MetricFamily } from '../metric/family.js';
import type { Series } from '../metric/series.js';
import { labelText, textAroundLe } from './label-text.js';
import { bucketLabels } from './samples.js';

/** The lines of a family's series without their values. */
export class SeriesLines {
  /** `le` of each bucket line; none for a counter or gauge. */
  readonly les: readonly string[];
  /** How many lines a series takes. */
  readonly perSeries: number;
  readonly #name: string;
  readonly #defaults: Readonly<Record<string, unknown>>;

  /** @param defaults labels that the registry adds; a series' own win. */
  constructor(family: MetricFamily, defaults: Readonly<Record<string, unknown>>) {
    this.#name = family.descriptor.name;
    this.#defaults = defaults;
    this.les = family.buckets === undefined ? [] : bucketLabels(family);
    this.perSeries = family.buckets === undefined ? 1 : this.les.length + 2;
  }

  /** What stands before each value of the series: buckets ascending, count, sum; or the one line. */
  headsOf(series: Series): string[] {
    const name = this.#name;
    const labels = { ...this.#defaults, ...series.labels };
    const text = labelText(labels);
    if (this.les.length === 0) return [`${name}${text}`];
    const [before, after] = textAroundLe(labels);
    const bucket = `${name}_bucket${before}`;
    const heads = this.les.map((le) => `${bucket}${le}${after}`);
    heads.push(`${name}_count${text}`, `${name}_sum${text}`);
    return heads;
  }

  /** About how many bytes the series' lines take. */
  sizeOf(series: Series): number {
    let size = this.#name.length + 48;
    for (const label in series.labels) size += label.length + series.labels[label]!.length + 4;
    return size * this.perSeries;
  }
}
