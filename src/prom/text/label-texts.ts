/** Labels as lines have them. */
import { formatFloat } from './number-format.js';

type Labels = Readonly<Record<string, unknown>>;

const ESCAPED = /[\\\n"]/;
const EACH_ESCAPED = /[\\\n"]/g;

/** A label's value between its quotes. */
function escapeLabelValue(value: string): string {
  if (!ESCAPED.test(value)) return value;
  return value.replace(EACH_ESCAPED, (char) => (char === '\n' ? '\\n' : `\\${char}`));
}

/** `name="value"`, escaped. */
export function pairText(name: string, value: unknown): string {
  return `${name}="${typeof value === 'string' ? escapeLabelValue(value) : String(value)}"`;
}

/** Labels with `le` as vLLM spells it: prom-client's own histograms give a number. */
export function withBoundText(labels: Labels): Labels {
  return typeof labels['le'] === 'number' ? { ...labels, le: formatFloat(labels['le']) } : labels;
}

/** What stands between a line's name and its value: `{a="b",c="d"} `, sorted by name; a blank without labels. */
export function labelText(labels: Labels): string {
  const names = Object.keys(labels).sort();
  if (names.length === 0) return ' ';
  return `{${names.map((name) => pairText(name, labels[name])).join(',')}} `;
}

/** The labels of one series as its lines have them. */
export interface LabelText {
  /** `{engine="0",model_name="m"} `, or a blank. */
  readonly all: string;
  /** `engine="0",le="`: what stands before a bucket's bound. */
  readonly beforeLe: string;
  /** `",model_name="m"} `: what stands after it. */
  readonly afterLe: string;
  /** True if a character takes more than one byte. */
  readonly wide: boolean;
}

const WIDE = /[^\0-\x7f]/;

/** The texts of labels that stand in the order of `names`, which is that of a page. */
function spell(names: readonly string[], labels: Labels): LabelText {
  let all = '';
  let before = '';
  let after = '';
  for (const name of names) {
    const pair = pairText(name, labels[name]);
    all = all === '' ? pair : `${all},${pair}`;
    if (name < 'le') before += `${pair},`;
    else if (name > 'le') after += `,${pair}`;
  }
  return {
    all: all === '' ? ' ' : `{${all}} `,
    beforeLe: `${before}le="`,
    afterLe: `"${after}} `,
    wide: WIDE.test(all),
  };
}

/** Texts by the value of the first label, of these by the second one's, and so on. */
type Known = Map<unknown, Known | LabelText>;

/** So many texts are remembered, of so many characters at most: some 4 MB. */
const MOST = 4096;
const LONGEST = 512;

/** Label texts of the families whose series have labels of the same names: each is spelled once for all of them. */
export class LabelTexts {
  readonly #names: readonly string[];
  readonly #sorted: readonly string[];
  readonly #defaults: Labels;
  /** Not by one key: to make that for each series would be half of a first scrape's time. */
  #known: Known = new Map();
  #count = 0;

  /** @param defaults labels that the registry adds; a series' own win. */
  constructor(names: readonly string[], defaults: Labels) {
    this.#names = names.length === 0 ? [''] : names; // one text, of the label that they do not have
    this.#sorted = [...new Set([...names, ...Object.keys(defaults)])].sort();
    this.#defaults = defaults;
  }

  of(labels: Labels): LabelText {
    let found: Known | LabelText | undefined = this.#known;
    for (let i = 0; i < this.#names.length; i++) {
      found = (found as Known).get(labels[this.#names[i]!]);
      if (found === undefined) return this.#make(labels);
    }
    return found as LabelText;
  }

  #make(labels: Labels): LabelText {
    const text = spell(this.#sorted, { ...this.#defaults, ...labels });
    if (text.all.length > LONGEST) return text;
    if (++this.#count > MOST) {
      this.#known = new Map();
      this.#count = 1;
    }
    const last = this.#names.length - 1;
    let known = this.#known;
    for (let i = 0; i < last; i++) {
      const value = labels[this.#names[i]!];
      const next = (known.get(value) as Known | undefined) ?? new Map();
      known.set(value, next);
      known = next;
    }
    known.set(labels[this.#names[last]!], text);
    return text;
  }
}
