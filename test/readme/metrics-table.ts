/** The README's table of metrics, from the catalogue and a fresh page. */
import { Registry } from 'prom-client';
import { renderMetrics, ServingMetrics } from '../../src/index.js';
import { CATALOG, type CatalogKey } from '../../src/serving/catalog/catalog.js';
import { table } from './readme.js';
import { WHEN_COMPUTED, WHEN_RECORDED } from './when-recorded.js';

const COMMON = ['model_name', 'engine'];
const COMPUTED: Readonly<Record<string, readonly [type: string, labels: readonly string[]]>> = {
  'vllm:lora_requests_info': ['gauge', ['max_lora', 'waiting_lora_adapters', 'running_lora_adapters']],
  'vllm:cache_config_info': ['gauge', ['engine', '…']],
  'vllm:admission_rejections_total': ['counter', ['model_name', 'reason']],
  rx_engine_metrics_requests_in_flight: ['gauge', ['model_name', 'engine']],
  rx_engine_metrics_invalid_values_total: ['counter', ['model_name', 'source']],
  rx_engine_metrics_engine_last_step_timestamp_seconds: ['gauge', ['model_name', 'engine']],
};

/** A page on which nothing has been recorded: its children are those that are there from the start. */
export async function freshPage(): Promise<string> {
  const registry = new Registry();
  new ServingMetrics({ registry, modelName: 'm', engines: [0] });
  return renderMetrics(registry);
}

/** The values that a label of a family has from the start. */
function valuesOnPage(page: string, name: string, label: string): string[] {
  const lines = page.matchAll(new RegExp(`^${name}(?:_count)?\\{.*?\\b${label}="([^"]*)"`, 'gm'));
  return [...new Set([...lines].map(([, value]) => value!))];
}

function labelText(page: string, name: string, label: string): string {
  const values = valuesOnPage(page, name, label).map((value) => `\`${value}\``);
  return values.length === 0 ? `\`${label}\`` : `\`${label}\`: ${values.join(', ')}`;
}

function row(page: string, name: string, type: string, labels: readonly string[], when: string): string[] {
  const texts = labels.map((label) =>
    COMMON.includes(label) ? `\`${label}\`` : labelText(page, name, label),
  );
  return [`\`${name}\``, type, texts.join('; '), when];
}

/** Families that differ in their name alone share a row, if they follow each other. */
function merged(rows: readonly (readonly string[])[]): string[][] {
  const found: string[][] = [];
  for (const [name, ...rest] of rows) {
    const last = found.at(-1);
    if (last !== undefined && rest.every((cell, i) => cell === last[i + 1])) last[0] += `<br>${name}`;
    else found.push([name!, ...rest]);
  }
  return found;
}

/** Labels that every family of the catalogue has are said once, above the table. */
export async function metricsTable(): Promise<string> {
  const page = await freshPage();
  const recorded = Object.entries(CATALOG).map(([key, { name, type, labels = [] }]) =>
    row(page, `vllm:${name}`, type, labels, WHEN_RECORDED[key as CatalogKey]),
  );
  const computed = Object.entries(COMPUTED).map(([name, [type, labels]]) =>
    row(page, name, type, labels, WHEN_COMPUTED[name]!),
  );
  return table([
    ['name', 'type', 'more labels', 'a sample is recorded'],
    ...merged([...recorded, ...computed]),
  ]);
}
