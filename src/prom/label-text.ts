/** The text between a line's name and its value. */
import { escapeLabelValue } from './escape.js';

type Labels = Readonly<Record<string, unknown>>;

function pairOf(name: string, value: unknown): string {
  return `${name}="${typeof value === 'string' ? escapeLabelValue(value) : String(value)}"`;
}

/** `{a="b",c="d"} `, sorted by name; a blank without labels. */
export function labelText(labels: Labels): string {
  const names = Object.keys(labels).sort();
  if (names.length === 0) return ' ';
  return `{${names.map((name) => pairOf(name, labels[name])).join(',')}} `;
}

/** What stands before and after the value of `le` on a bucket's line: `{engine="0",le="` and `",model_name="m"} `. */
export function textAroundLe(labels: Labels): readonly [string, string] {
  const names = Object.keys(labels).sort();
  const pairs = (wanted: (name: string) => boolean): string[] =>
    names.filter(wanted).map((name) => pairOf(name, labels[name]));
  const before = pairs((name) => name < 'le').map((pair) => `${pair},`);
  const after = pairs((name) => name > 'le').map((pair) => `,${pair}`);
  return [`{${before.join('')}le="`, `"${after.join('')}} `];
}
