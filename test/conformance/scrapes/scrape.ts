/** A real vLLM page, as the scrape contracts describe it. */
import type { ServingMetrics } from '../../../src/index.js';
import { fixtureNames, readFixture } from '../../support/fixtures.js';
import type { Recording } from '../../support/recording.js';
import { serving } from '../used-metrics.js';

export interface ScrapeFamily {
  readonly name: string;
  readonly type: string;
  readonly labels: readonly string[];
  readonly le?: readonly string[];
  readonly label_values: Readonly<Record<string, readonly string[]>>;
}

export interface Scrape {
  readonly capture: { readonly engines: readonly string[]; readonly model_names: readonly string[] };
  readonly families: readonly ScrapeFamily[];
  readonly samples: readonly { readonly series: string; readonly text: string; readonly value: number }[];
  readonly format: Readonly<Record<string, string | boolean>>;
}

export const SCRAPES: readonly (readonly [name: string, scrape: Scrape])[] = fixtureNames('vllm')
  .filter((name) => name.startsWith('scrape-contract'))
  .map((name) => [name.slice('scrape-contract-'.length, -'.json'.length), readFixture(`vllm/${name}`)]);

/** A configuration value of Python's from what it prints; a whole-number float stays text, as JavaScript has none. */
function configValue(text: string): unknown {
  if (text === 'None') return null;
  if (text === 'True' || text === 'False') return text === 'True';
  return text !== '' && String(Number(text)) === text ? Number(text) : text;
}

export function configOf({ families }: Scrape): Record<string, unknown> {
  const { label_values } = families.find(({ name }) => name === 'vllm:cache_config_info')!;
  return Object.fromEntries(
    Object.entries(label_values).map(([field, [text]]) => [field, configValue(text!)]),
  );
}

/** Metrics as the server of the scrape had them: its model, engines, token bounds and adapters. */
export function servingAs({ capture, families }: Scrape): Recording {
  const named = (family: string) => families.find(({ name }) => name === family);
  const maxLora = named('vllm:lora_requests_info')?.label_values['max_lora']?.[0];
  return serving({
    modelName: capture.model_names[0]!,
    engines: capture.engines.map(Number),
    // Bounds go up to the context length: the last one is a length that fits.
    maxModelLen: Number(named('vllm:request_prompt_tokens')!.le!.at(-2)),
    ...(maxLora !== undefined && { maxLora: Number(maxLora) }),
  });
}

function camelCase(text: string): string {
  return text.replace(/_(\w)/gu, (_, letter: string) => letter.toUpperCase());
}

interface AnyHandle {
  inc?(n: number): void;
  set?(value: number): void;
  observe?(value: number): void;
}

/** Finds the handle of a series by the contract's rule for field names. */
function handleOf(metrics: ServingMetrics, family: string, series: string): AnyHandle {
  const engine = Number(/engine="(\d+)"/u.exec(series)![1]);
  const field = camelCase(family.replace(/^vllm:/u, '').replace(/_total$/u, ''));
  const found = (metrics.forEngine(engine) as unknown as Record<string, unknown>)[field];
  const extra = /(?:reason|source|sleep_state)="(\w+)"/u.exec(series)?.[1];
  return (extra === undefined ? found : (found as Record<string, unknown>)[camelCase(extra)]) as AnyHandle;
}

/** Gives a counter or a gauge the figure of the scrape. */
export function setFigure(
  metrics: ServingMetrics,
  family: ScrapeFamily,
  series: string,
  value: number,
): void {
  const handle = handleOf(metrics, family.name, series);
  if (family.type === 'counter') handle.inc!(value);
  else handle.set!(value);
}

/** Gives a histogram the sum and the count of the scrape. */
export function setTotals(metrics: ServingMetrics, name: string, series: string, totals: Totals): void {
  const handle = handleOf(metrics, name, series);
  for (const value of valuesOf(totals)) handle.observe!(value);
}

export interface Totals {
  readonly sum: number;
  readonly count: number;
}

/** As many values as a histogram counted, with its sum. */
export function* valuesOf({ sum, count }: Totals): Generator<number> {
  for (let i = 0; i < count; i++) yield i === 0 ? sum : 0;
}
