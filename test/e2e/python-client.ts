import { join } from 'node:path';
import { output } from './processes.js';
import { PYTHON } from './python/describe-with-python.js';

/** A page as Prometheus's Python client reads it. */
export interface ParsedPage {
  readonly families: readonly (readonly [name: string, type: string, help: string])[];
  /** Keyed as `readSamples` keys them. */
  readonly samples: ReadonlyMap<string, number>;
}

interface Answer {
  readonly families: ParsedPage['families'];
  readonly samples: readonly (readonly [name: string, labels: Record<string, string>, value: number])[];
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');
}

function keyOf(name: string, labels: Record<string, string>): string {
  const texts = Object.keys(labels)
    .sort()
    .map((label) => `${label}="${escaped(labels[label]!)}"`);
  return texts.length === 0 ? name : `${name}{${texts.join(',')}}`;
}

export async function parseInPython(page: string, format: 'text' | 'openmetrics'): Promise<ParsedPage> {
  const script = join(import.meta.dirname, 'parse-page.py');
  const json = await output(PYTHON, [script, format], { input: page });
  const { families, samples } = JSON.parse(json) as Answer;
  const entries = samples.map(([name, labels, value]) => [keyOf(name, labels), value] as const);
  const keyed = new Map(entries);
  if (keyed.size !== entries.length) throw new Error('a sample stands on the page twice');
  return { families, samples: keyed };
}
