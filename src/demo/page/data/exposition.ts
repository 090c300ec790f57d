/** The text of `/metrics`, read in the browser: what any Prometheus client shows is all that the page knows. */

export type Labels = Readonly<Record<string, string>>;

export interface Sample {
  readonly labels: Labels;
  readonly value: number;
}

/** The samples of one scrape, by name. */
export type Exposition = ReadonlyMap<string, readonly Sample[]>;

const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? ([-+]?[\d.]+(?:e[-+]?\d+)?|[-+]?Inf|NaN)(?: |$)/;
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g;

function numberOf(text: string): number {
  if (text === '+Inf') return Number.POSITIVE_INFINITY;
  return text === '-Inf' ? Number.NEGATIVE_INFINITY : Number(text);
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/g, (_, char: string) => (char === 'n' ? '\n' : char));
}

function labelsOf(text: string | undefined): Labels {
  if (text === undefined) return {};
  const pairs = [...text.matchAll(LABEL)].map(([, name, value]) => [name!, unescaped(value!)] as const);
  return Object.fromEntries(pairs);
}

/** Reads the text format; comments, and lines that are none of it, are left out. */
export function parseExposition(text: string): Exposition {
  const samples = new Map<string, Sample[]>();
  for (const line of text.split('\n')) {
    const [, name, labels, value] = (line.startsWith('#') ? null : LINE.exec(line)) ?? [];
    if (name === undefined || value === undefined) continue;
    const sample = { labels: labelsOf(labels), value: numberOf(value) };
    const known = samples.get(name);
    if (known === undefined) samples.set(name, [sample]);
    else known.push(sample);
  }
  return samples;
}

/** The sum over all series of a name whose labels include these; 0 without any. */
export function sumOf(exposition: Exposition, name: string, labels: Labels = {}): number {
  const wanted = Object.entries(labels);
  return (exposition.get(name) ?? [])
    .filter((sample) => wanted.every(([label, value]) => sample.labels[label] === value))
    .reduce((sum, { value }) => sum + value, 0);
}

/** The sums over all series of a name, by the value of a label. */
export function sumsBy(exposition: Exposition, name: string, label: string): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { labels, value } of exposition.get(name) ?? []) {
    const key = labels[label] ?? '';
    sums.set(key, (sums.get(key) ?? 0) + value);
  }
  return sums;
}
