/** Our collectors as prom-client's registry sees them. */
import { AggregatorRegistry, Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { renderMetrics } from '../../src/prom/page/render.js';
import type { PromMetric, PromSample } from '../../src/prom/prom-client.js';
import { acquireFamilies } from '../../src/prom/register.js';
import { describeFamily, makeRegistry, record, register } from '../support/registries.js';

function collectorOf(registry: { getSingleMetric(name: string): unknown }, name: string): PromMetric {
  return registry.getSingleMetric(name) as PromMetric;
}

describe('a collector', () => {
  it('says what prom-client asks of a metric', async () => {
    const registry = makeRegistry();
    const [shared] = register(registry, {
      ...describeFamily('gauge', 'vllm:g', ['engine']),
      aggregator: 'max',
    });
    record(shared!.family.labels('0'), 2);
    const collector = collectorOf(registry, 'vllm:g');
    expect(collector).toMatchObject({
      name: 'vllm:g',
      help: 'Help of vllm:g.',
      type: 'gauge',
      aggregator: 'max',
    });
    expect(await collector.get()).toEqual({
      name: 'vllm:g',
      help: 'Help of vllm:g.',
      type: 'gauge',
      aggregator: 'max',
      values: [{ labels: { engine: '0' }, value: 2 }],
    });
  });

  it('gives a histogram as buckets with le as text, count, sum', async () => {
    const registry = makeRegistry();
    const [shared] = register(registry, describeFamily('histogram', 'vllm:h', ['engine'], [0.5, 1]));
    record(shared!.family.labels('0'), 1);
    expect((await collectorOf(registry, 'vllm:h').get()).values).toEqual([
      { metricName: 'vllm:h_bucket', labels: { le: '0.5', engine: '0' }, value: 0 },
      { metricName: 'vllm:h_bucket', labels: { le: '1.0', engine: '0' }, value: 1 },
      { metricName: 'vllm:h_bucket', labels: { le: '+Inf', engine: '0' }, value: 1 },
      { metricName: 'vllm:h_count', labels: { engine: '0' }, value: 1 },
      { metricName: 'vllm:h_sum', labels: { engine: '0' }, value: 1 },
    ]);
  });

  it('takes a name and keeps its own', () => {
    const registry = makeRegistry();
    register(registry, describeFamily('counter', 'vllm:c_total'));
    const collector = collectorOf(registry, 'vllm:c_total');
    collector.name = 'vllm:c';
    expect(collector.name).toBe('vllm:c_total');
  });

  it('writes _total once, whether its registry or another one writes OpenMetrics', async () => {
    const registry = makeRegistry();
    record(register(registry, describeFamily('counter', 'vllm:c_total'))[0]!.family.labels(), 1);
    const merged = Registry.merge([registry as Registry]) as unknown as ReturnType<typeof makeRegistry>;
    merged.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
    expect(await merged.metrics()).toContain('# TYPE vllm:c counter\nvllm:c_total 1\n');
    expect(await registry.metrics()).toContain('# TYPE vllm:c_total counter\nvllm:c_total 1\n');
  });

  it('is written alone as well', async () => {
    const registry = makeRegistry(Registry.OPENMETRICS_CONTENT_TYPE);
    record(register(registry, describeFamily('counter', 'vllm:c_total'))[0]!.family.labels(), 1);
    expect(await registry.getSingleMetricAsString('vllm:c_total')).toContain('\nvllm:c_total 1');
  });

  it('is zeroed by resetMetrics, hidden series too, unless its family says what is', async () => {
    const registry = makeRegistry();
    const requests = [
      { descriptor: describeFamily('histogram', 'vllm:h', ['engine'], [1]) },
      { descriptor: describeFamily('gauge', 'vllm:state'), resettable: false },
    ];
    const [histogram, state] = acquireFamilies(registry, requests, {});
    const handle = histogram!.family.labels('0');
    record(handle, 3);
    record(state!.family.labels(), 1);
    histogram!.family.hide(histogram!.family.series('0'), true);
    registry.resetMetrics();
    expect([...histogram!.family.series('0').cells]).toEqual([0, 0, 0]);
    expect([...state!.family.series().cells]).toEqual([1]);
    record(handle, 1);
    expect([...histogram!.family.series('0').cells]).toEqual([1, 0, 1]);
  });

  it('adds up over workers, or takes the largest', async () => {
    const workers = [2, 5].map((value) => {
      const registry = makeRegistry();
      const [c, g] = register(registry, describeFamily('counter', 'vllm:c_total'), {
        ...describeFamily('gauge', 'vllm:g'),
        aggregator: 'max',
      });
      record(c!.family.labels(), value);
      record(g!.family.labels(), value);
      return registry.getMetricsAsJSON();
    });
    const page = await AggregatorRegistry.aggregate(await Promise.all(workers)).metrics();
    expect(page).toContain('\nvllm:c_total 7\n');
    expect(page).toContain('\nvllm:g 5\n');
  });

  it('gives labels that its reader may change', async () => {
    const registry = makeRegistry();
    register(registry, describeFamily('gauge', 'vllm:g', ['engine']))[0]!.family.series('0');
    for (const { values } of [await collectorOf(registry, 'vllm:g').get()]) {
      (values[0]!.labels as Record<string, string>)['engine'] = 'changed';
    }
    expect((await collectorOf(registry, 'vllm:g').get()).values[0]!.labels).toEqual({ engine: '0' });
  });
});

/** A renderer's question is over when it has been asked: whoever asks then gets values. */
it('a family that came after a page was made answers with its values', async () => {
  const registry = makeRegistry();
  register(registry, describeFamily('gauge', 'vllm:first'));
  await renderMetrics(registry);
  const [shared] = register(registry, describeFamily('gauge', 'vllm:g', ['engine']));
  record(shared!.family.labels('0'), 7);
  const [, answer] = await registry.getMetricsAsJSON();
  expect(answer).toMatchObject({ name: 'vllm:g', values: [{ labels: { engine: '0' }, value: 7 }] });
});

/** One object for a series' life for prom-client's writer, the reader's own otherwise. */
const TYPES = ['counter', 'histogram'] as const;

it.each(TYPES)(
  "a %s's label objects last for the text writer, which flattens each of them once",
  async (type) => {
    const registry = makeRegistry();
    const name = type === 'counter' ? 'vllm:m_total' : 'vllm:m';
    const bounds = type === 'counter' ? [] : [1];
    const [shared] = register(registry, describeFamily(type, name, ['engine'], bounds));
    const series = shared!.family.series('0');
    const collector = registry.getSingleMetric(name) as unknown as PromMetric;
    const written = async (): Promise<PromSample[]> => (await collector.getForPromString()).values;
    const samples = [...(await written()), ...(await written())];
    expect(samples.filter(({ sharedLabels }) => sharedLabels !== series.labels)).toEqual([]);
    expect(samples).toHaveLength(type === 'counter' ? 2 : 8);
    const read = (await collector.get()).values;
    expect(read.map(({ labels }) => labels['engine'])).toEqual(read.map(() => '0'));
    expect(read.filter(({ labels, sharedLabels }) => labels === series.labels || sharedLabels)).toEqual([]);
  },
);
