import type { MetricFamily } from '../metric/family.js';
import type { Series } from '../metric/series.js';
import { escapeLabelValue } from './escape.js';
import { pairText } from './label-text.js';
import { bucketLabels } from './samples.js';

/** A bucket's line is `beforeLe`, its bound, `afterLe`, its value. */
export interface HistogramHeads {
  readonly beforeLe: string;
  readonly afterLe: string;
  readonly count: string;
  readonly sum: string;
}

/** One of a line's labels: a series' own, by its place in the descriptor, or one that the registry adds. */
interface LabelSlot {
  readonly name: string;
  readonly own: number;
  /** `name="value"` if the registry adds it, `name="` if it is the series' own. */
  readonly text: string;
}

function slotsOf(own: readonly string[], defaults: Readonly<Record<string, unknown>>): LabelSlot[] {
  const names = [...new Set([...own, ...Object.keys(defaults)])].sort();
  return names.map((name) => {
    const place = own.indexOf(name);
    return { name, own: place, text: place < 0 ? pairText(name, defaults[name]) : `${name}="` };
  });
}

/** `a="b",c="d"`. */
function joined(slots: readonly LabelSlot[], values: readonly string[]): string {
  let text = '';
  for (const slot of slots) {
    if (text !== '') text += ',';
    text += slot.own < 0 ? slot.text : `${slot.text}${escapeLabelValue(values[slot.own]!)}"`;
  }
  return text;
}

/** The lines of a family's series without their values. */
export class SeriesLines {
  /** `le` of each bucket line; none for a counter or gauge. */
  readonly les: readonly string[];
  /** How many lines a series takes. */
  readonly perSeries: number;
  readonly #name: string;
  readonly #slots: readonly LabelSlot[];
  readonly #before: readonly LabelSlot[];
  readonly #after: readonly LabelSlot[];

  /** @param defaults labels that the registry adds; a series' own win. */
  constructor(family: MetricFamily, defaults: Readonly<Record<string, unknown>>) {
    this.#name = family.descriptor.name;
    this.#slots = slotsOf(family.descriptor.labelNames, defaults);
    this.#before = this.#slots.filter(({ name }) => name < 'le');
    this.#after = this.#slots.filter(({ name }) => name > 'le');
    this.les = family.buckets === undefined ? [] : bucketLabels(family);
    this.perSeries = family.buckets === undefined ? 1 : this.les.length + 2;
  }

  /** What stands before the value of a counter's or gauge's series. */
  headOf(series: Series): string {
    const text = joined(this.#slots, Object.values(series.labels));
    return text === '' ? `${this.#name} ` : `${this.#name}{${text}} `;
  }

  /** What stands before the values of a histogram's series. */
  headsOf(series: Series): HistogramHeads {
    const values = Object.values(series.labels);
    const text = joined(this.#slots, values);
    const labels = text === '' ? ' ' : `{${text}} `;
    const before = joined(this.#before, values);
    const after = joined(this.#after, values);
    return {
      beforeLe: `${this.#name}_bucket{${before}${before === '' ? '' : ','}le="`,
      afterLe: `"${after === '' ? '' : ','}${after}} `,
      count: `${this.#name}_count${labels}`,
      sum: `${this.#name}_sum${labels}`,
    };
  }

  /** About how many bytes the series' lines take. */
  sizeOf(series: Series): number {
    let size = 100;
    for (const value of Object.values(series.labels)) size += value.length;
    return size * this.perSeries;
  }
}
