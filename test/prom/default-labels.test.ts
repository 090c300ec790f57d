/** Registries that look like prom-client's own and answer otherwise: their pages are what they say. */
import { Gauge, Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { renderMetrics } from '../../src/prom/page/render.js';
import type { PromMetricValues, PromRegistry } from '../../src/prom/prom-client.js';
import { describeFamily, makeRegistry, record, register } from '../support/registries.js';

type Answers = PromMetricValues[];
type Change = (answers: Answers) => Answers;

const extra = (): PromMetricValues => ({
  name: 'extra',
  help: 'h',
  type: 'gauge',
  aggregator: 'sum',
  values: [{ labels: {}, value: 1 }],
});

/** A class with the marks of prom-client's `Registry`, over a registry of three metrics. */
function lookalike(change: Change): PromRegistry {
  const registry = makeRegistry();
  for (const name of ['a', 'b']) new Gauge({ name, help: 'h', registers: [registry as Registry] }).set(3);
  record(register(registry, describeFamily('gauge', 'vllm:g'))[0]!.family.labels(), 7);
  class Lookalike {
    readonly contentType = registry.contentType;
    registerMetric(metric: never): void {
      registry.registerMetric(metric);
    }
    getSingleMetric(name: string): unknown {
      return registry.getSingleMetric(name);
    }
    getMetricsAsArray(): unknown[] {
      return registry.getMetricsAsArray();
    }
    async getMetricsAsJSON(): Promise<Answers> {
      const metrics = this.getMetricsAsArray() as { get(): Promise<PromMetricValues> }[];
      return change(await Promise.all(metrics.map((metric) => metric.get())));
    }
  }
  const { merge, OPENMETRICS_CONTENT_TYPE } = Registry;
  Object.assign(Lookalike, { merge, OPENMETRICS_CONTENT_TYPE });
  return new Lookalike();
}

async function linesOf(registry: PromRegistry): Promise<string[]> {
  return (await renderMetrics(registry)).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

const changed = (of: (answer: PromMetricValues) => object): Change => {
  return (answers) => answers.map((answer) => Object.assign(answer, of(answer)));
};

describe('a registry that looks like a Registry of prom-client', () => {
  it.each<[string, Change, string[]]>([
    [
      'answers with copies',
      (answers) => answers.map((answer) => ({ ...answer })),
      ['a 3', 'b 3', 'vllm:g 7.0'],
    ],
    ['adds a family', (answers) => [...answers, extra()], ['a 3', 'b 3', 'vllm:g 7.0', 'extra 1']],
    ['puts a family first', (answers) => [extra(), ...answers], ['extra 1', 'a 3', 'b 3', 'vllm:g 7.0']],
    [
      'gives each answer another list of samples',
      changed(({ values }) => ({ values: values.map((sample) => ({ ...sample, value: 5 })) })),
      ['a 5', 'b 5', 'vllm:g 5.0'],
    ],
    [
      'adds a sample to each list',
      changed(({ values }) => {
        values.push({ labels: { more: 'x' }, value: 1 });
        return {};
      }),
      ['a 3', 'a{more="x"} 1', 'b 3', 'b{more="x"} 1', 'vllm:g 7.0', 'vllm:g{more="x"} 1.0'],
    ],
    [
      'puts another sample in the place of each',
      changed(({ values }) => {
        values[0] = { ...values[0]!, labels: { region: 'x' } };
        return {};
      }),
      ['a{region="x"} 3', 'b{region="x"} 3', 'vllm:g{region="x"} 7.0'],
    ],
    [
      'changes the value of each sample',
      changed(({ values }) => {
        values[0] = Object.assign(values[0]!, { value: 9 });
        return {};
      }),
      ['a 9', 'b 9', 'vllm:g 9.0'],
    ],
    [
      'adds labels to the samples, as prom-client does',
      changed(({ values }) => {
        Object.assign(values[0]!.labels, { region: 'x' });
        return {};
      }),
      ['a{region="x"} 3', 'b{region="x"} 3', 'vllm:g{region="x"} 7.0'],
    ],
  ])('and %s has the page of its answers', async (_, change, series) => {
    const registry = lookalike(change);
    for (let page = 0; page < 2; page++) expect(await linesOf(registry)).toEqual(series);
  });

  it('and refuses a list that is not its own has its page all the same', async () => {
    const registry = lookalike((answers) => {
      if (answers.length < 3) throw new Error('a metric is missing');
      return answers;
    });
    expect(await linesOf(registry)).toEqual(['a 3', 'b 3', 'vllm:g 7.0']);
  });
});

describe('a registry of another make', () => {
  it.each(['merge', 'OPENMETRICS_CONTENT_TYPE'])(
    'without %s is never asked for less than all its metrics',
    async (mark) => {
      const asked: number[] = [];
      const registry = lookalike((answers) => {
        asked.push(answers.length);
        return answers;
      });
      Reflect.deleteProperty(registry.constructor, mark);
      expect(await linesOf(registry)).toEqual(['a 3', 'b 3', 'vllm:g 7.0']);
      expect(asked).toEqual([3]);
    },
  );
});
