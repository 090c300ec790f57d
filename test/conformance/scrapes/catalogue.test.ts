import { describe, expect, it } from 'vitest';
import { renderMetrics } from '../../../src/index.js';
import {
  admissionRejectionsDescriptor,
  CATALOG,
  cacheConfigDescriptor,
  loraDescriptor,
} from '../../../src/serving/catalog/catalog.js';
import {
  defaultBuckets,
  FIXED_BUCKETS,
  type FixedBuckets,
} from '../../../src/serving/catalog/default-buckets.js';
import { readFixture } from '../../support/fixtures.js';
import { serving, usedServing } from '../used-metrics.js';
import { bounds, familiesOf, labelNames } from './page.js';
import { type CatalogueEntry, isInScope, OUT_OF_SCOPE_NAMES, type TokenBuckets } from './scope.js';

const entries = readFixture<CatalogueEntry[]>('vllm/metrics-catalog.json');
const inScope = entries.filter(isInScope).map((entry) => [entry.name, entry] as const);
const histograms = inScope.filter(([, { buckets }]) => buckets !== null);

/** An info family is a gauge in the exposition. */
function typeOf({ type }: CatalogueEntry): string {
  return type === 'info' ? 'gauge' : type;
}

function labelsOf({ name, labels }: CatalogueEntry): string[] {
  return name === 'vllm:cache_config_info' ? ['block_size', 'engine'] : [...labels].sort();
}

function isRule(buckets: CatalogueEntry['buckets']): buckets is TokenBuckets {
  return buckets !== null && 'rust' in buckets;
}

/** What Rust's rule makes: 1-2-5 up to its last bound, and that bound. */
function rustBounds({ last }: TokenBuckets['rust']): number[] {
  const decades = [1, 10, 100, 1000, 10_000].flatMap((decade) => [decade, 2 * decade, 5 * decade]);
  return [...decades.filter((bound) => bound < last[0]!), ...last];
}

async function pageBounds(maxModelLen?: number): Promise<(name: string) => number[]> {
  const { registry } = usedServing(maxModelLen === undefined ? {} : { maxModelLen });
  const page = familiesOf(await renderMetrics(registry));
  return (name) => bounds(page.get(name)!).map((le) => Number(le.replace('+Inf', 'Infinity')));
}

describe("vLLM's catalogue", () => {
  it.each(entries.map((entry) => [entry.name, entry] as const))(
    '%s is ours, or listed as not ours',
    (name, entry) => {
      expect(isInScope(entry)).toBe(!OUT_OF_SCOPE_NAMES.has(name));
    },
  );

  it('has 139 families, 62 of them ours', () => {
    expect([entries.length, inScope.length]).toEqual([139, 62]);
  });
});

describe('the page', () => {
  it('has our families of the catalogue and no other of vLLM', async () => {
    const { registry } = serving();
    const names = [...familiesOf(await renderMetrics(registry)).keys()];

    expect(names.filter((name) => name.startsWith('vllm:')).sort()).toEqual(
      inScope.map(([name]) => name).sort(),
    );
    expect(names.filter((name) => !name.startsWith('vllm:')).sort()).toEqual([
      'rx_engine_metrics_engine_last_step_timestamp_seconds',
      'rx_engine_metrics_invalid_values_total',
      'rx_engine_metrics_requests_in_flight',
    ]);
  });

  it.each(inScope)('%s has its type and labels', async (name, entry) => {
    const family = familiesOf(await renderMetrics(usedServing().registry)).get(name)!;

    expect(family.type).toBe(typeOf(entry));
    expect(labelNames(family)).toEqual(labelsOf(entry));
  });

  it.each(histograms)('%s has its bounds by both rules', async (name, { buckets }) => {
    const withContext = isRule(buckets) ? buckets.example : { max_model_len: 32_768, buckets };
    const without = isRule(buckets) ? rustBounds(buckets.rust) : buckets!;

    expect((await pageBounds(withContext.max_model_len))(name)).toEqual([...withContext.buckets!, Infinity]);
    expect((await pageBounds())(name)).toEqual([...(without as number[]), Infinity]);
  });

  it.each(inScope.filter(([, { label_values, group }]) => label_values && group !== 'kv_connector'))(
    '%s has its fixed children from the start',
    async (name, { label_values }) => {
      const { samples } = familiesOf(await renderMetrics(serving().registry)).get(name)!;

      for (const [label, values] of Object.entries(label_values!))
        expect(samples.map(({ labels }) => labels.get(label))).toEqual(values);
    },
  );
});

describe("src's catalogue", () => {
  const rows = new Map(Object.values(CATALOG).map((row) => [`vllm:${row.name}`, row]));
  const computed = [loraDescriptor, cacheConfigDescriptor, admissionRejectionsDescriptor].map((of) =>
    of('vllm:'),
  );

  it('has our families', () => {
    expect([...rows.keys(), ...computed.map(({ name }) => name)].sort()).toEqual(
      inScope.map(([name]) => name).sort(),
    );
  });

  it.each(inScope.filter(([name]) => rows.has(name)))('%s agrees', (name, entry) => {
    const row = rows.get(name)!;

    expect([row.type, ['model_name', 'engine', ...(row.labels ?? [])]]).toEqual([entry.type, entry.labels]);
    const family = entry.bucket_family?.replace(/_(\w)/gu, (_, letter: string) => letter.toUpperCase());
    const fixed = FIXED_BUCKETS[row.buckets as keyof FixedBuckets];
    expect(fixed ?? row.buckets).toEqual(family ?? entry.buckets ?? undefined);
  });

  it('has the families of buckets that vLLM lets replace', () => {
    const families = new Set(entries.map(({ bucket_family }) => bucket_family).filter((family) => family));
    const camelCase = [...families].map((family) =>
      family!.replace(/_(\w)/gu, (_, letter: string) => letter.toUpperCase()),
    );
    expect(Object.keys(defaultBuckets(undefined)).sort()).toEqual(camelCase.sort());
  });
});
