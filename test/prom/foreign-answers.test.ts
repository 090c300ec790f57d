/** Answers of other people's metrics whose shape prom-client's own metrics do not have. */
import { Registry, type RegistryContentType } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { renderMetrics } from '../../src/prom/page/render.js';
import { makeRegistry } from '../support/registries.js';

const { OPENMETRICS_CONTENT_TYPE, PROMETHEUS_CONTENT_TYPE } = Registry;

interface Answer {
  readonly name: string;
  readonly type: string;
  readonly values?: readonly object[];
}

/** The lines of a page with one metric on it, and those that prom-client writes of it. */
async function linesOf(answer: Answer, format: RegistryContentType = PROMETHEUS_CONTENT_TYPE) {
  const registry = makeRegistry(format);
  const get = async () => ({ help: 'h', aggregator: 'sum', ...answer });
  registry.registerMetric({ help: 'h', aggregator: 'sum', ...answer, get } as never);
  const ours = (await renderMetrics(registry)).trimEnd().split('\n');
  return { ours, theirs: (await registry.metrics()).trimEnd().split('\n') };
}

describe('a foreign metric', () => {
  it('has the labels of a sample and those it shares, which win', async () => {
    const values = [{ labels: { a: '1', z: 'own' }, sharedLabels: { m: 'x', z: 'shared' }, value: 2 }];
    const { ours } = await linesOf({ name: 'g', type: 'gauge', values });
    expect(ours.slice(2)).toEqual(['g{a="1",m="x",z="shared"} 2']);
  });

  it('without labels on a sample has none, and without samples its header', async () => {
    const { ours } = await linesOf({ name: 'g', type: 'gauge', values: [{ value: 2 }] });
    expect(ours).toEqual(['# HELP g h', '# TYPE g gauge', 'g 2']);
    expect((await linesOf({ name: 'g', type: 'gauge' })).ours).toEqual(ours.slice(0, 2));
  });

  it('with infinities is spelled as prom-client spells them', async () => {
    const values = [Infinity, -Infinity, 0, -0].map((value, i) => ({ labels: { i: `${i}` }, value }));
    const { ours, theirs } = await linesOf({ name: 'g', type: 'gauge', values });
    expect(ours).toEqual(theirs);
    expect(ours[2]).toBe('g{i="0"} +Inf');
  });

  it('keeps a quote in its name as prom-client does', async () => {
    const { ours, theirs } = await linesOf({ name: 'g"\\', type: 'gauge', values: [] });
    expect(ours).toEqual(theirs);
    expect(ours[0]).toBe('# HELP g"\\\\ h');
  });

  it('has labels and exemplar labels that are numbers', async () => {
    const exemplar = { labelSet: { id: 7 }, value: 1, timestamp: 5 };
    const values = [{ labels: { a: 1 }, value: 2, exemplar }];
    const { ours } = await linesOf({ name: 'c_total', type: 'counter', values }, OPENMETRICS_CONTENT_TYPE);
    expect(ours[2]).toBe('c_total{a="1"} 2 # {id="7"} 1 5');
  });

  it.each([1, 255, 256, 257, 600])('has each of %d samples once, in order', async (count) => {
    const values = Array.from({ length: count }, (_, i) => ({ labels: { i: `${i}` }, value: i }));
    const { ours, theirs } = await linesOf({ name: 'g', type: 'gauge', values });
    expect(ours).toEqual(theirs);
    expect(ours).toHaveLength(2 + count);
  });
});

describe("a metric with vLLM's prefix that is not ours", () => {
  const sample = (suffix: string, labels: object, value: number) => ({
    metricName: `vllm:m${suffix}`,
    labels,
    value,
  });

  it('is a histogram with its buckets ascending, then count and sum, in whatever order it answers', async () => {
    const bucket = (le: number | string, value: number) => sample('_bucket', { le }, value);
    const values = [
      sample('_sum', { le: '1' }, 4),
      bucket('+Inf', 3),
      bucket(2, 2),
      sample('_count', {}, 3),
      bucket(0.5, 0),
      bucket(1e6, 2),
      bucket(1, 1),
    ];
    const { ours } = await linesOf({ name: 'vllm:m', type: 'histogram', values });
    expect(ours.slice(2)).toEqual([
      'vllm:m_bucket{le="0.5"} 0.0',
      'vllm:m_bucket{le="1.0"} 1.0',
      'vllm:m_bucket{le="2.0"} 2.0',
      'vllm:m_bucket{le="1e+06"} 2.0',
      'vllm:m_bucket{le="+Inf"} 3.0',
      'vllm:m_count 3.0',
      'vllm:m_sum{le="1"} 4.0', // as with a default label of that name
    ]);
  });

  it('keeps the order of its samples if it is no histogram', async () => {
    const values = [
      sample('', { quantile: '0.5' }, 1),
      sample('_sum', {}, 4),
      sample('_count', {}, 3),
      sample('', { quantile: '0.1' }, 0),
    ];
    const { ours } = await linesOf({ name: 'vllm:m', type: 'summary', values });
    expect(ours.slice(2)).toEqual([
      'vllm:m{quantile="0.5"} 1.0',
      'vllm:m_sum 4.0',
      'vllm:m_count 3.0',
      'vllm:m{quantile="0.1"} 0.0',
    ]);
  });
});

const one = { labels: {}, value: 1 };

/** On a registry without default labels, which hands answers on as they are. */
it.each([
  ['null', null],
  ['nothing', undefined],
  ['a sample that is null after 300 that are not', { values: [...Array(300).fill(one), null] }],
  ['a list of samples that is none', { values: 7 }],
])('a metric that answers %s is left out as a whole, all others stay', async (_, answer) => {
  const registry = makeRegistry();
  const shape = { help: 'h', type: 'gauge', aggregator: 'sum' };
  const add = (name: string, get: () => Promise<unknown>) =>
    registry.registerMetric({ ...shape, name, get } as never);
  const healthy = (name: string) => add(name, async () => ({ ...shape, name, values: [one] }));
  healthy('before');
  add('sick', async () => answer && { ...shape, name: 'sick', ...answer });
  healthy('after');
  const lines = (await renderMetrics(registry)).split('\n').filter((line) => !line.startsWith('#'));
  expect(lines).toEqual(['before 1', 'after 1', 'rx_engine_metrics_collector_failures_total 1.0', '']);
});
