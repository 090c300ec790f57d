/** A strict reader of both exposition formats, so that a page can be compared by what it says. */
import { keyOf } from './samples.js';

export interface ReadSample {
  readonly name: string;
  readonly labels: ReadonlyMap<string, string>;
  /** As spelled. */
  readonly text: string;
  readonly value: number;
  /** What follows the value, as spelled. */
  readonly exemplar: string;
}

export interface ReadFamily {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly samples: ReadSample[];
}

const HEADER = /^# HELP (\S+) (.*)\n# TYPE (\S+) (counter|gauge|histogram|summary)$/su;
const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{((?:[^"{}]|"(?:[^"\\]|\\.)*")*)\})? (\S+)( # .*)?$/su;
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\]|\\[\\n"])*)"(?:,|$)/suy;
const SUFFIX = /^(?:_bucket|_count|_sum|_total)?$/u;

function unescaped(text: string): string {
  return text.replace(/\\(.)/gsu, (_, char: string) => (char === 'n' ? '\n' : char));
}

function numberOf(text: string): number {
  if (/^[+-]?Inf$/u.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
  if (/^nan$/iu.test(text)) return NaN;
  const value = Number(text);
  if (!/^-?\d/u.test(text) || Number.isNaN(value)) throw new Error(`not a number: ${text}`);
  return value;
}

function labelsOf(text: string): Map<string, string> {
  const labels = new Map<string, string>();
  LABEL.lastIndex = 0;
  while (LABEL.lastIndex < text.length) {
    const [, name, value] = LABEL.exec(text) ?? [];
    if (name === undefined) throw new Error(`not labels: ${text.slice(0, 200)}`);
    if (labels.has(name)) throw new Error(`label twice: ${name}`);
    labels.set(name, unescaped(value!));
  }
  return labels;
}

function sampleOf(line: string): ReadSample {
  const [, name, labels = '', text, exemplar = ''] = SAMPLE.exec(line) ?? [];
  if (name === undefined) throw new Error(`not a sample: ${line.slice(0, 200)}`);
  return { name, labels: labelsOf(labels), text: text!, value: numberOf(text!), exemplar };
}

function familyOf(header: string): ReadFamily {
  const [, name, help, typed, type] = HEADER.exec(header) ?? [];
  if (name === undefined || name !== typed) throw new Error(`not a header: ${header.slice(0, 200)}`);
  return { name, help: unescaped(help!), type: type!, samples: [] };
}

function seriesOf({ name, labels }: ReadSample): string {
  return keyOf(name, Object.fromEntries(labels));
}

/**
 * Reads a page.
 * @throws {Error} on anything that the formats do not allow, on a series or family that comes twice, and on a
 * sample that does not stand under its family.
 */
export function readPage(page: string): ReadFamily[] {
  if (page !== '' && !page.endsWith('\n')) throw new Error('the last line has no end');
  const lines = page.split('\n').filter((line) => line !== '');
  const families = new Map<string, ReadFamily>();
  const series = new Set<string>();
  let family: ReadFamily | undefined;
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!;
    if (line === '# EOF' && i === lines.length - 1) break;
    if (line.startsWith('# HELP ')) {
      family = familyOf(`${line}\n${lines[++i]}`);
      if (families.has(family.name)) throw new Error(`family twice: ${family.name}`);
      families.set(family.name, family);
      continue;
    }
    const sample = sampleOf(line);
    if (family === undefined || !sample.name.startsWith(family.name)) throw new Error(`not at home: ${line}`);
    if (!SUFFIX.test(sample.name.slice(family.name.length)))
      throw new Error(`not of ${family.name}: ${line}`);
    if (series.has(seriesOf(sample))) throw new Error(`series twice: ${line}`);
    series.add(seriesOf(sample));
    family.samples.push(sample);
  }
  return [...families.values()];
}

/** A page's samples, whatever their family. */
export function samplesOn(page: string): ReadSample[] {
  return readPage(page).flatMap(({ samples }) => samples);
}

/** A page's values by `keyOf` their series. */
export function valuesOn(page: string): Map<string, number> {
  return new Map(samplesOn(page).map((sample) => [seriesOf(sample), sample.value]));
}

/** Reads one family of a page: the others may be any size. */
export function readFamily(page: string, name: string): ReadFamily {
  const from = page.indexOf(`# HELP ${name} `);
  if (from < 0) throw new Error(`not on the page: ${name}`);
  const next = page.indexOf('\n# HELP ', from);
  return readPage(page.slice(from, next < 0 ? undefined : next + 1))[0]!;
}

/** What the page says, in a form to compare: nothing of spelling, label order or sample order is left. */
export function meaningOf(page: string): unknown[] {
  return readPage(page).map(({ name, help, type, samples }) => ({
    name,
    help,
    type,
    samples: samples.map((sample) => `${seriesOf(sample)} ${sample.value + 0}${sample.exemplar}`).sort(),
  }));
}
