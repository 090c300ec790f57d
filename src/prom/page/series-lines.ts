import type { MetricFamily } from '../../metric/family.js';
import type { Series } from '../../metric/series.js';
import { bucketLabels } from '../samples.js';
import { byteLength } from '../text/bytes.js';
import type { LabelText, LabelTexts } from '../text/label-texts.js';

/** More than a line has beside its name, labels and bound: `_bucket`, `le=""`, the value, a newline. */
const BESIDE = 48;

/** What the lines of a family's series have in common. */
export class SeriesLines {
  readonly name: string;
  /** `le` of each bucket line; none for a counter or gauge. */
  readonly les: readonly string[];
  /** How many lines a series takes. */
  readonly perSeries: number;
  readonly #texts: LabelTexts;
  readonly #longestLe: number;

  constructor(family: MetricFamily, texts: LabelTexts) {
    this.name = family.descriptor.name;
    this.les = family.buckets === undefined ? [] : bucketLabels(family);
    this.perSeries = family.buckets === undefined ? 1 : this.les.length + 2;
    this.#texts = texts;
    this.#longestLe = Math.max(0, ...this.les.map((le) => le.length));
  }

  labelsOf(series: Series): LabelText {
    return this.#texts.of(series.labels);
  }

  /** The lines of no series with these labels take more bytes, whatever its values. */
  mostBytes({ all, wide }: LabelText): number {
    const labels = wide ? byteLength(all) : all.length;
    return (this.name.length + labels + this.#longestLe + BESIDE) * this.perSeries;
  }
}
