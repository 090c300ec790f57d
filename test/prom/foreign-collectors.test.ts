/** Metrics of other people that fail, or that look at ours. */
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { renderMetrics } from '../../src/prom/page/render.js';
import type { PromRegistry } from '../../src/prom/prom-client.js';
import { readPage, samplesOn } from '../support/read-page.js';
import { type AnyRegistry, describeFamily, makeRegistry, record, register } from '../support/registries.js';

const failed = new Error('broken');
const FAILURES = 'rx_engine_metrics_collector_failures_total';

function addForeign(registry: AnyRegistry, metric: object): void {
  registry.registerMetric({ help: 'h', type: 'gauge', aggregator: 'sum', ...metric } as never);
}

/** A registry with a healthy metric, one that is not, and one of ours. */
function withBroken(metric: object): AnyRegistry {
  const registry = makeRegistry();
  registry.setDefaultLabels({ app: 'x' });
  new Gauge({ name: 'healthy', help: 'h', registers: [registry as Registry] }).set(1);
  addForeign(registry, { name: 'sick', ...metric });
  record(register(registry, describeFamily('counter', 'vllm:c_total'))[0]!.family.labels(), 2);
  return registry;
}

describe('a broken metric', () => {
  it.each<[string, object]>([
    ['whose get rejects', { get: () => Promise.reject(failed) }],
    [
      'whose get throws',
      {
        get() {
          throw failed;
        },
      },
    ],
    ['that answers nothing', { get: async () => undefined }],
    ['that answers null', { get: async () => null }],
    [
      'whose values are no list',
      { get: async () => ({ name: 'sick', help: 'h', type: 'gauge', values: 7 }) },
    ],
    [
      'whose value is null',
      { get: async () => ({ name: 'sick', help: 'h', type: 'gauge', values: [null] }) },
    ],
    [
      'whose value is a number',
      { get: async () => ({ name: 'sick', help: 'h', type: 'gauge', values: [7] }) },
    ],
    ['without a name', { get: async () => ({ help: 'h', type: 'gauge', values: [] }) }],
    ['without a help text', { get: async () => ({ name: 'sick', type: 'gauge', values: [] }) }],
  ])('%s is left out, all others stay', async (_, metric) => {
    const page = await renderMetrics(withBroken(metric));
    expect(page).toContain('healthy{app="x"} 1\n');
    expect(page).toContain('vllm:c_total{app="x"} 2.0\n');
    expect(readPage(page).map(({ name }) => name)).toEqual(['healthy', 'vllm:c_total', FAILURES]);
    expect(page).toContain(`\n${FAILURES}{app="x"} 1.0\n`);
  });

  it('that recovers is on the next page', async () => {
    let broken = true;
    const registry = withBroken({
      get: async () => {
        if (broken) throw failed;
        return { name: 'sick', help: 'h', type: 'gauge', values: [{ labels: {}, value: 3 }] };
      },
    });
    expect(await renderMetrics(registry)).not.toContain('sick');
    broken = false;
    expect(await renderMetrics(registry)).toContain('sick{app="x"} 3\n');
    broken = true;
    expect(await renderMetrics(registry)).not.toContain('sick');
  });

  it('rejects as the registry does, if that cannot list its metrics', async () => {
    const registry = withBroken({ get: () => Promise.reject(failed) });
    const plain: PromRegistry = {
      contentType: registry.contentType,
      registerMetric: () => {},
      getSingleMetric: (name) => registry.getSingleMetric(name),
      getMetricsAsJSON: () => registry.getMetricsAsJSON(),
    };
    await expect(renderMetrics(plain)).rejects.toBe(failed);
  });

  it('beside a registry of another make costs the default labels, not the page', async () => {
    const registry = withBroken({ get: () => Promise.reject(failed) });
    const own: PromRegistry = {
      contentType: registry.contentType,
      registerMetric: () => {},
      getSingleMetric: (name) => registry.getSingleMetric(name),
      getMetricsAsJSON: () => registry.getMetricsAsJSON(),
      getMetricsAsArray: () => registry.getMetricsAsArray(),
    };
    const page = await renderMetrics(own);
    expect(page).toContain('healthy 1\n');
    expect(page).toContain('vllm:c_total 2.0\n');
    expect(readPage(page).map(({ name }) => name)).toEqual(['healthy', 'vllm:c_total']); // it takes no family of ours
  });
});

describe('a metric that reads ours while it is asked itself', () => {
  it.each(['before it', 'after it'])('gets the values, and so does the page: %s', async (place) => {
    const registry = makeRegistry();
    let seen: unknown;
    const read = async (): Promise<void> => {
      seen = (await registry.getSingleMetric('vllm:g')!.get()).values;
    };
    if (place === 'before it') addReader(registry, read);
    record(register(registry, describeFamily('gauge', 'vllm:g', ['engine']))[0]!.family.labels('0'), 7);
    if (place === 'after it') addReader(registry, read);
    for (let i = 0; i < 2; i++) {
      expect(await renderMetrics(registry)).toContain('vllm:g{engine="0"} 7.0\n');
      expect(seen).toEqual([{ labels: { engine: '0' }, value: 7 }]);
    }
  });

  it('on another registry gets them as well', async () => {
    const [registry, other] = [makeRegistry(), makeRegistry()];
    record(register(other, describeFamily('gauge', 'vllm:g'))[0]!.family.labels(), 7);
    let seen: unknown;
    addReader(registry, async () => {
      seen = (await other.getSingleMetric('vllm:g')!.get()).values;
    });
    await renderMetrics(registry);
    expect(seen).toEqual([{ labels: {}, value: 7 }]);
  });

  it('may render a page itself', async () => {
    const registry = makeRegistry();
    record(register(registry, describeFamily('gauge', 'vllm:g'))[0]!.family.labels(), 7);
    let inner: Promise<string> | undefined;
    let depth = 0;
    addReader(registry, () => {
      if (depth++ === 0) inner = renderMetrics(registry);
    });
    const outer = await renderMetrics(registry);
    expect(outer).toContain('vllm:g 7.0\n');
    expect(await inner).toContain('vllm:g 7.0\n');
  });
});

function addReader(registry: AnyRegistry, collect: () => void): void {
  new Gauge({ name: 'reader', help: 'h', registers: [registry as Registry], collect });
}

describe('metrics that answer with one name', () => {
  it('are both written, on every page', async () => {
    const registry = makeRegistry();
    for (const [name, value] of [
      ['one', 1],
      ['two', 2],
    ] as const) {
      const values = [{ labels: { from: name }, value }];
      addForeign(registry, { name, get: async () => ({ name: 'same', help: 'h', type: 'gauge', values }) });
    }
    const page = await renderMetrics(registry);
    expect(page).toContain('same{from="one"} 1\n');
    expect(page).toContain('same{from="two"} 2\n');
    expect(await renderMetrics(registry)).toBe(page);
  });
});

describe('exemplars', () => {
  function withExemplars(): AnyRegistry {
    const registry = makeRegistry(Registry.OPENMETRICS_CONTENT_TYPE);
    const shape = { help: 'h', labelNames: ['a'], enableExemplars: true, registers: [registry as never] };
    const exemplarLabels = { trace: 'x"y', b: '1' };
    new Counter({ ...shape, name: 'c_total' }).inc({ labels: { a: '1' }, value: 2, exemplarLabels });
    new Histogram({ ...shape, name: 'h', buckets: [1] }).observe({
      labels: { a: '1' },
      value: 0.5,
      exemplarLabels,
    });
    return registry;
  }

  it('stay as prom-client writes them in OpenMetrics', async () => {
    const registry = withExemplars();
    const theirs = samplesOn(await registry.metrics());
    const ours = samplesOn(await renderMetrics(registry));
    expect(ours.map(({ exemplar }) => exemplar)).toEqual(theirs.map(({ exemplar }) => exemplar));
    expect(ours.filter(({ exemplar }) => exemplar !== '')).toHaveLength(2);
  });

  it('are left out of a text page', async () => {
    const registry = withExemplars();
    registry.setContentType(Registry.PROMETHEUS_CONTENT_TYPE);
    expect(await renderMetrics(registry)).not.toContain('trace');
  });
});
