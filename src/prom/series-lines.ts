import type { MetricFamily } from '../metric/family.js';
import type { Series } from '../metric/series.js';
import type { LabelText, LabelTexts } from './label-texts.js';
import { bucketLabels } from './samples.js';

/** What the lines of a family's series have in common. */
export class SeriesLines {
  readonly name: string;
  /** `le` of each bucket line; none for a counter or gauge. */
  readonly les: readonly string[];
  /** How many lines a series takes. */
  readonly perSeries: number;
  readonly #texts: LabelTexts;

  constructor(family: MetricFamily, texts: LabelTexts) {
    this.name = family.descriptor.name;
    this.les = family.buckets === undefined ? [] : bucketLabels(family);
    this.perSeries = family.buckets === undefined ? 1 : this.les.length + 2;
    this.#texts = texts;
  }

  labelsOf(series: Series): LabelText {
    return this.#texts.of(series.labels);
  }

  /** About how many bytes the lines of a series take. */
  sizeOf(series: Series): number {
    return (this.name.length + this.labelsOf(series).all.length + 36) * this.perSeries;
  }
}
