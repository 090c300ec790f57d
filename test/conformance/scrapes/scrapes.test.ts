import { describe, expect, it } from 'vitest';
import { renderMetrics } from '../../../src/index.js';
import { readFixture } from '../../support/fixtures.js';
import type { ReadFamily } from '../../support/read-page.js';
import { runAdapter } from '../used-metrics.js';
import { bounds, familiesOf, labelNames } from './page.js';
import { type CatalogueEntry, isInScope, OUT_OF_SCOPE_NAMES } from './scope.js';
import { configOf, SCRAPES, type Scrape, type ScrapeFamily, servingAs } from './scrape.js';

const ours = new Set(
  readFixture<CatalogueEntry[]>('vllm/metrics-catalog.json')
    .filter(isInScope)
    .map(({ name }) => name),
);
/** Label sets that a host or its requests make. */
const NOT_FIXED = ['vllm:cache_config_info', 'vllm:lora_requests_info'];

function oursOf({ families }: Scrape): readonly ScrapeFamily[] {
  return families.filter(({ name }) => ours.has(name));
}

async function fullPage(scrape: Scrape): Promise<ReadonlyMap<string, ReadFamily>> {
  const { registry, metrics } = servingAs(scrape);
  metrics.setCacheConfig(0, configOf(scrape));
  runAdapter(metrics, 'adapter');
  return familiesOf(await renderMetrics(registry));
}

describe.each(SCRAPES)('the scrape of %s', (_, scrape) => {
  it('has only families that are ours or listed as not ours', () => {
    const names = scrape.families.map(({ name }) => name).filter((name) => !ours.has(name));

    expect(names.filter((name) => !OUT_OF_SCOPE_NAMES.has(name))).toEqual([]);
    expect(oursOf(scrape).length).toBeGreaterThan(30);
  });

  it('has the types, labels and bounds of our page', async () => {
    const page = await fullPage(scrape);
    const described = oursOf(scrape).map(({ name }) => {
      const family = page.get(name)!;
      return [name, family.type, labelNames(family), bounds(family)];
    });

    expect(described).toEqual(
      oursOf(scrape).map(({ name, type, labels, le }) => [name, type, labels, le ?? []]),
    );
  });

  it('has no child of ours that is not there from the start', async () => {
    const page = familiesOf(await renderMetrics(servingAs(scrape).registry));
    const fixed = oursOf(scrape).filter(({ name }) => !NOT_FIXED.includes(name));

    for (const { name, label_values } of fixed) {
      const { samples } = page.get(name)!;
      const awake = name === 'vllm:engine_sleep_state' ? ['1.0', '0.0', '0.0'] : undefined;
      expect([name, samples.map(({ text }) => text)]).toEqual([name, awake ?? samples.map(() => '0.0')]);
      for (const [label, values] of Object.entries(label_values))
        expect(samples.map(({ labels }) => labels.get(label))).toEqual(values);
    }
  });

  it('has the cache configuration that ours shows for the same fields', async () => {
    const [sample] = (await fullPage(scrape)).get('vllm:cache_config_info')!.samples;
    const { label_values } = scrape.families.find(({ name }) => name === 'vllm:cache_config_info')!;
    const labels = Object.fromEntries(sample!.labels);

    const fields = Object.entries(label_values).map(([field, [text]]) => [field, text!] as const);
    expect(labels).toEqual({ engine: '0', ...Object.fromEntries(fields) });
    expect(sample!.text).toBe('1.0');
  });
});

it('reads seven scrapes', () => {
  expect(SCRAPES).toHaveLength(7);
});
