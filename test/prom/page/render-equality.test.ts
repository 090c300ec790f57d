/** `renderMetrics` says what `registry.metrics()` says, for any families, labels, values and default labels. */
import fc from 'fast-check';
import { AggregatorRegistry, Counter, Gauge, Histogram, Registry, Summary } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { renderMetrics } from '../../../src/prom/page/render.js';
import { meaningOf, readPage } from '../../support/read-page.js';
import {
  type AnyRegistry,
  describeFamily,
  families,
  freshCopy,
  hostileText,
  makeRegistry,
  record,
  register,
  steps,
} from '../../support/registries.js';

const defaultLabels = fc.dictionary(fc.constantFrom('a', 'engine', 'zone', 'k'), hostileText, { maxKeys: 3 });
const formats = fc.constantFrom(Registry.PROMETHEUS_CONTENT_TYPE, Registry.OPENMETRICS_CONTENT_TYPE);

describe('renderMetrics', () => {
  it('means what registry.metrics() means', async () => {
    await fc.assert(
      fc.asyncProperty(families, steps, defaultLabels, formats, async (all, happened, defaults, format) => {
        const registry = makeRegistry(format);
        registry.setDefaultLabels(defaults);
        const shared = register(registry, ...all);
        for (const happen of happened) happen(shared);
        const theirs = (await registry.metrics()).toWellFormed();
        expect(meaningOf(await renderMetrics(registry))).toEqual(meaningOf(theirs));
      }),
      { numRuns: 100 },
    );
  });

  it('brought up to date over any history is the page made afresh', async () => {
    const scrape = fc.record({ happened: steps, format: formats, defaults: fc.option(defaultLabels) });
    await fc.assert(
      fc.asyncProperty(families, fc.array(scrape, { maxLength: 6 }), async (all, scrapes) => {
        const registry = makeRegistry();
        const shared = register(registry, ...all);
        let defaults = {};
        for (const { happened, format, defaults: changed } of scrapes) {
          for (const happen of happened) happen(shared);
          registry.setContentType(format);
          if (changed !== null) defaults = changed;
          registry.setDefaultLabels(defaults);
          const fresh = freshCopy(registry, defaults);
          expect(await renderMetrics(registry)).toBe(await renderMetrics(fresh));
        }
      }),
      { numRuns: 100 },
    );
  });

  it('names the series that getMetricsAsJSON names', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(hostileText, { minLength: 1 }), async (values) => {
        const registry = makeRegistry();
        const [shared] = register(registry, describeFamily('gauge', 'vllm:g', ['name']));
        for (const value of values) shared!.family.series(value);
        const json = (await registry.getMetricsAsJSON()) as unknown as {
          values: { labels: { name: string } }[];
        }[];
        const page = readPage(await renderMetrics(registry))[0]!.samples;
        expect(page.map(({ labels }) => labels.get('name'))).toEqual(
          json[0]!.values.map(({ labels }) => labels.name),
        );
      }),
    );
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
});

/** One metric of each of prom-client's types, with labels. */
function foreignMetrics(registry: AnyRegistry, name: string, label: string): void {
  const shape = { help: 'Some "help" \\ text.', labelNames: ['z', 'a'], registers: [registry as Registry] };
  new Counter({ ...shape, name: `${name}c_total` }).inc({ a: label, z: '1' }, 3);
  new Counter({ ...shape, name: `${name}plain` }).inc({ z: label }, 1e21);
  new Gauge({ ...shape, name: `${name}g` }).set({ a: label, z: '2' }, Number.NaN);
  new Gauge({ ...shape, name: `${name}i` }).set({ a: label }, -Infinity);
  new Histogram({ ...shape, name: `${name}h`, buckets: [0.1, 1, 2e6] }).observe({ a: label, z: '4' }, 1);
  new Summary({ ...shape, name: `${name}s` }).observe({ a: label, z: '3' }, 5);
  new Gauge({ help: 'No labels.', name: `${name}n`, registers: [registry as Registry] });
}

/** The lines with the labels of each sorted, as prom-client wrote them. */
function withSortedLabels(page: string): string {
  return page.replace(/^([\w:]+)\{(.*)\}(?= )/gmu, (_, name: string, labels: string) => {
    const pairs = labels.match(/\w+="(?:[^"\\]|\\.)*"/gu) ?? [];
    return `${name}{${pairs.sort().join(',')}}`;
  });
}

describe("other people's metrics", () => {
  it.each([
    ['text', Registry.PROMETHEUS_CONTENT_TYPE],
    ['OpenMetrics', Registry.OPENMETRICS_CONTENT_TYPE],
  ] as const)('are written as prom-client does, label order and blank lines aside: %s', async (_, format) => {
    const registry = makeRegistry(format);
    registry.setDefaultLabels({ app: 'x', z: 'default' });
    foreignMetrics(registry, '', 'quote " and \\ and , and é');
    const ours = await renderMetrics(registry);
    expect(ours).toBe(withSortedLabels(await registry.metrics()).replaceAll('\n\n', '\n'));
  });

  it('keep their place among ours', async () => {
    const registry = makeRegistry();
    register(registry, describeFamily('gauge', 'vllm:first'));
    foreignMetrics(registry, '', 'x');
    register(registry, describeFamily('gauge', 'vllm:last'));
    const names = readPage(await renderMetrics(registry)).map(({ name }) => name);
    expect(names).toEqual(['vllm:first', 'c_total', 'plain', 'g', 'i', 'h', 's', 'n', 'vllm:last']);
  });

  it("are spelled vLLM's way if their name says so", async () => {
    const registry = makeRegistry();
    foreignMetrics(registry, 'vllm:', 'x');
    const lines = (await renderMetrics(registry)).split('\n').filter((line) => /^vllm:[ch]/u.test(line));
    expect(lines).toEqual([
      'vllm:c_total{a="x",z="1"} 3.0',
      'vllm:h_bucket{a="x",le="0.1",z="4"} 0.0',
      'vllm:h_bucket{a="x",le="1.0",z="4"} 1.0',
      'vllm:h_bucket{a="x",le="2e+06",z="4"} 1.0',
      'vllm:h_bucket{a="x",le="+Inf",z="4"} 1.0',
      'vllm:h_count{a="x",z="4"} 1.0',
      'vllm:h_sum{a="x",z="4"} 1.0',
    ]);
  });
});

describe('a page of a cluster', () => {
  it("has vLLM's spelling, as a worker's page has", async () => {
    await fc.assert(
      fc.asyncProperty(families, steps, async (all, happened) => {
        const worker = makeRegistry();
        const shared = register(worker, ...all);
        for (const happen of happened) happen(shared);
        const overIpc = JSON.parse(JSON.stringify(await worker.getMetricsAsJSON()));
        const cluster = AggregatorRegistry.aggregate([overIpc]);
        // JSON has no -0.
        const page = (await renderMetrics(worker)).replaceAll(' -0.0\n', ' 0.0\n');
        expect(await renderMetrics(cluster)).toBe(page);
      }),
    );
  });

  it('keeps a label set together whatever order the workers answer in', async () => {
    const workers = [['0'], ['1', '0']].map((engines) => {
      const registry = makeRegistry();
      const [shared] = register(registry, describeFamily('histogram', 'vllm:h', ['engine'], [1]));
      for (const engine of engines) record(shared!.family.labels(engine), 2);
      return registry.getMetricsAsJSON();
    });
    const cluster = AggregatorRegistry.aggregate(await Promise.all(workers));
    expect((await renderMetrics(cluster)).split('\n').slice(2)).toEqual([
      'vllm:h_bucket{engine="0",le="1.0"} 0.0',
      'vllm:h_bucket{engine="0",le="+Inf"} 2.0',
      'vllm:h_count{engine="0"} 2.0',
      'vllm:h_sum{engine="0"} 4.0',
      'vllm:h_bucket{engine="1",le="1.0"} 0.0',
      'vllm:h_bucket{engine="1",le="+Inf"} 1.0',
      'vllm:h_count{engine="1"} 1.0',
      'vllm:h_sum{engine="1"} 2.0',
      '',
    ]);
  });
});
