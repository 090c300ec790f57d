/** A reader of the text exposition, strict: it throws where a scraper would. */

export interface ParsedSample {
  readonly name: string;
  readonly labels: ReadonlyMap<string, string>;
  readonly value: number;
}

const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? ([^ ]+)$/su;
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(,|$)/suy;

function unescaped(value: string): string {
  return value.replace(/\\(.)/gsu, (_match, char: string) => (char === 'n' ? '\n' : char));
}

function labelsOf(text: string): ReadonlyMap<string, string> {
  const labels = new Map<string, string>();
  let at = 0;
  while (at < text.length) {
    LABEL.lastIndex = at;
    const match = LABEL.exec(text);
    if (match === null || labels.has(match[1]!)) throw new Error(`no labels: ${text.slice(0, 200)}`);
    labels.set(match[1]!, unescaped(match[2]!));
    at = LABEL.lastIndex;
  }
  return labels;
}

function numberOf(text: string): number {
  const value = text === '+Inf' ? Number.POSITIVE_INFINITY : Number(text);
  if (Number.isNaN(value)) throw new Error(`no value: ${text}`);
  return value;
}

/** All samples of a page, or those of one family. */
export function parsePage(page: string, family = ''): ParsedSample[] {
  const lines = page
    .split('\n')
    .filter((line) => line !== '' && !/^# (HELP|TYPE) /u.test(line) && line.startsWith(family));
  return lines.map((line) => {
    const match = SAMPLE.exec(line);
    if (match === null) throw new Error(`no sample: ${line.slice(0, 200)}`);
    return { name: match[1]!, labels: labelsOf(match[2] ?? ''), value: numberOf(match[3]!) };
  });
}
