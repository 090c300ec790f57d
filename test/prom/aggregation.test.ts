/** How samples of several processes become one, beyond what prom-client's own metrics answer. */
import { Gauge, Histogram, Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { ServingMetrics } from '../../src/index.js';
import { aggregateMetrics } from '../../src/prom/aggregate.js';
import { newestOf } from '../../src/prom/aggregation.js';
import { renderMetrics } from '../../src/prom/page/render.js';

const sample = (x: string, value: number, setAt?: Readonly<Record<string, number>>) => ({
  labels: { x },
  value,
  ...(setAt && { setAt }),
});

describe('of states, the newest', () => {
  it.each([
    [
      'is of each owner, where one sample has several',
      [[sample('a', 1, { m: 2, n: 1 })], [sample('b', 2, { m: 1, n: 2 })]],
      [sample('a', 1), sample('b', 2)],
    ],
    [
      'of two owners of one series is of the later process',
      [[sample('a', 1, { m: 3 })], [sample('a', 2, { n: 2 })]],
      [sample('a', 2)],
    ],
    ['is of the later process, where none was told', [[sample('a', 1)], [sample('a', 2)]], [sample('a', 2)]],
    [
      'is of the process that was told, wherever it stands',
      [[sample('a', 1)], [sample('a', 2, { m: 1 })], [sample('a', 3)]],
      [sample('a', 2)],
    ],
  ])('%s', (_, lists, expected) => {
    expect(newestOf(lists)).toEqual(expected);
  });
});

it('an engine that came back has nobody’s word for its state until it is told one', async () => {
  const pages = (['discard_all', 'weights_offloaded'] as const).map((state) => {
    const registry = new Registry();
    const metrics = new ServingMetrics({ registry, modelName: 'm', engines: [0] });
    metrics.setSleepState(0, state);
    if (state === 'discard_all') {
      metrics.removeEngine(0);
      metrics.forEngine(0);
    }
    return registry.getMetricsAsJSON();
  });
  const states = async (all: readonly unknown[]) => {
    const lines = (await renderMetrics(aggregateMetrics(all))).match(/^vllm:engine_sleep_state\{.*$/gm);
    return lines?.map((line) => `${/sleep_state="(\w+)"/.exec(line)![1]} ${line.slice(-3)}`);
  };
  const told = ['awake 0.0', 'weights_offloaded 1.0', 'discard_all 0.0'];
  const [back, other] = await Promise.all(pages);
  expect(await states([back, other])).toEqual(told);
  expect(await states([other, back])).toEqual(told);
});

/** The lines of an aggregated page, with each answer in a process of its own. */
async function linesOf(...answers: readonly object[]): Promise<string[]> {
  const page = await renderMetrics(aggregateMetrics(answers.map((answer) => [{ help: 'h', ...answer }])));
  return page.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

describe("other people's answers", () => {
  it('are of one series in whatever order they have its labels', async () => {
    const answer = (labels: object) => ({ name: 'g', type: 'gauge', values: [{ labels, value: 2 }] });
    expect(await linesOf(answer({ a: '1', b: '2' }), answer({ b: '2', a: '1' }))).toEqual([
      'g{a="1",b="2"} 4',
    ]);
    expect(await linesOf(answer({ a: '1', b: '2' }), answer({ a: '2', b: '1' }))).toHaveLength(2);
  });

  it('add up without an aggregator', async () => {
    const answer = { name: 'c_total', type: 'counter', values: [{ labels: {}, value: 2 }] };
    expect(await linesOf(answer, answer)).toEqual(['c_total 4']);
  });

  it('may lack samples, and samples may lack labels', async () => {
    const histogram = { name: 'h', type: 'histogram' };
    const values = [{ metricName: 'h_count', value: 2 }];
    expect(await linesOf(histogram, { ...histogram, values })).toEqual(['h_count 2']);
  });

  it('may have a label named le without being buckets', async () => {
    const answer = (le: string) => ({ name: 'g', type: 'gauge', values: [{ labels: { le }, value: 1 }] });
    expect(await linesOf(answer('1'), answer('2'))).toEqual(['g{le="1"} 1', 'g{le="2"} 1']);
  });

  it('of a histogram without series say nothing of its buckets', async () => {
    const pages = [[], ['x']].map((observed) => {
      const registry = new Registry();
      const labelled = new Histogram({
        name: 'h',
        help: 'h',
        labelNames: ['a'],
        buckets: [1],
        registers: [registry],
      });
      for (const a of observed) labelled.observe({ a }, 2);
      return registry.getMetricsAsJSON();
    });
    const page = await renderMetrics(aggregateMetrics(await Promise.all(pages)));
    expect(page).toContain('h_count{a="x"} 1\n');
  });
});

describe('a registry of several processes', () => {
  it('writes Prometheus text', () => {
    expect(aggregateMetrics([]).contentType).toBe(Registry.PROMETHEUS_CONTENT_TYPE);
  });

  it('keeps what the processes counted of failed collectors, also if an answer is unreadable', async () => {
    const registry = new Registry();
    const name = 'rx_engine_metrics_collector_failures_total';
    new Gauge({ name, help: 'h', registers: [registry] }).set(5);
    const unreadable = { name: 'g', help: 'h', type: 'gauge', values: [null] };
    const aggregated = aggregateMetrics([await registry.getMetricsAsJSON()]);
    aggregated.registerMetric({ name: 'g', get: async () => unreadable });
    for (let page = 0; page < 2; page++) {
      expect(await renderMetrics(aggregated)).toContain(`\n${name} 5.0\n`);
    }
  });
});
