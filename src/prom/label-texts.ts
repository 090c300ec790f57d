import { pairText } from './label-text.js';

type Labels = Readonly<Record<string, unknown>>;

/** The labels of one series as its lines have them. */
export interface LabelText {
  /** `{engine="0",model_name="m"} `, or a blank. */
  readonly all: string;
  /** `engine="0",le="`: what stands before a bucket's bound. */
  readonly beforeLe: string;
  /** `",model_name="m"} `: what stands behind it. */
  readonly afterLe: string;
  /** True if a character takes more than one byte. */
  readonly wide: boolean;
}

const WIDE = /[^\0-\x7f]/;

/** So many label sets are remembered; some 200 bytes each. */
const MOST = 4096;

/** Label texts of a page. Families have most label sets in common: each is made once. */
export class LabelTexts {
  readonly #defaults: Labels;
  readonly #known = new Map<string, LabelText>();

  /** @param defaults labels that the registry adds; a series' own win. */
  constructor(defaults: Labels) {
    this.#defaults = defaults;
  }

  of(labels: Labels): LabelText {
    const key = JSON.stringify(labels);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const made = this.#make(labels);
    if (this.#known.size >= MOST) this.#known.clear();
    this.#known.set(key, made);
    return made;
  }

  #make(own: Labels): LabelText {
    const labels = { ...this.#defaults, ...own };
    const names = Object.keys(labels).sort();
    const pairs = (wanted: (name: string) => boolean): string =>
      names
        .filter(wanted)
        .map((name) => pairText(name, labels[name]))
        .join(',');
    const all = pairs(() => true);
    const before = pairs((name) => name < 'le');
    const after = pairs((name) => name > 'le');
    return {
      all: all === '' ? ' ' : `{${all}} `,
      beforeLe: `${before}${before === '' ? '' : ','}le="`,
      afterLe: `"${after === '' ? '' : ','}${after}} `,
      wide: WIDE.test(all),
    };
  }
}
