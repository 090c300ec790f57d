import { escapeLabelValue } from './escape.js';

/** `name="value"`, escaped. */
export function pairText(name: string, value: unknown): string {
  return `${name}="${typeof value === 'string' ? escapeLabelValue(value) : String(value)}"`;
}

/** What stands between a line's name and its value: `{a="b",c="d"} `, sorted by name; a blank without labels. */
export function labelText(labels: Readonly<Record<string, unknown>>): string {
  const names = Object.keys(labels).sort();
  if (names.length === 0) return ' ';
  return `{${names.map((name) => pairText(name, labels[name])).join(',')}} `;
}
