/** Registries that do something of their own to their answers: right pages all the same, and no reader sees a marker. */
import fc from 'fast-check';
import { Gauge, Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { renderMetrics } from '../../src/prom/page/render.js';
import type { PromMetricValues, PromRegistry } from '../../src/prom/prom-client.js';
import { readPage, valuesOn } from '../support/read-page.js';
import { type AnyRegistry, describeFamily, makeRegistry, record, register } from '../support/registries.js';

type Answers = PromMetricValues[];
type Change = (answers: Answers) => Answers;

const CHANGES: Readonly<Record<string, Change>> = {
  'as they are': (answers) => answers,
  'structured clones': (answers) => structuredClone(answers),
  'JSON copies': (answers) => JSON.parse(JSON.stringify(answers)),
  spread: (answers) =>
    answers.map((answer) => ({ ...answer, values: answer.values.map((sample) => ({ ...sample })) })),
  labelled: (answers) =>
    answers.map((answer) => ({
      ...answer,
      values: answer.values.map((sample) => ({ ...sample, labels: { ...sample.labels, extra: 'x' } })),
    })),
  'labelled where they stand': (answers) => {
    for (const { values } of answers) for (const { labels } of values) Object.assign(labels, { extra: 'x' });
    return answers;
  },
};

const json = async (registry: PromRegistry): Promise<Answers> =>
  (await registry.getMetricsAsJSON()) as Answers;

/** Ways to have a registry whose JSON is `answer` of what the registry itself says. */
type Wrap = (
  registry: AnyRegistry,
  answer: (own: () => Promise<Answers>) => Promise<Answers>,
) => PromRegistry;

const WRAPS: Readonly<Record<string, Wrap>> = {
  'a subclass': (registry, answer) => {
    class Own extends Registry {
      override getMetricsAsJSON = (): never => answer(() => super.getMetricsAsJSON() as never) as never;
    }
    return moved(registry, new Own());
  },
  'a subclass with private members': (registry, answer) => {
    class Own extends Registry {
      #answer = answer;
      override getMetricsAsJSON(): never {
        return this.#answer(() => super.getMetricsAsJSON() as never) as never;
      }
    }
    return moved(registry, new Own());
  },
  'an instance of its own method': (registry, answer) => {
    const own = registry.getMetricsAsJSON.bind(registry);
    registry.getMetricsAsJSON = () => answer(own as never) as never;
    return registry;
  },
  'a view': (registry, answer) =>
    Object.create(registry, { getMetricsAsJSON: { value: () => answer(() => json(registry)) } }),
  'a proxy': (registry, answer) =>
    new Proxy(registry, {
      get: (target, key) =>
        key === 'getMetricsAsJSON' ? () => answer(() => json(target)) : Reflect.get(target, key, target),
    }),
  'another class': (registry, answer) => ({
    contentType: registry.contentType,
    registerMetric: (metric) => registry.registerMetric(metric),
    getSingleMetric: (name) => registry.getSingleMetric(name),
    getMetricsAsJSON: () => answer(() => json(registry)),
  }),
};

/** `to` with the metrics and default labels of `from`. */
function moved(from: AnyRegistry, to: AnyRegistry): AnyRegistry {
  for (const metric of from.getMetricsAsArray()) to.registerMetric(metric as never);
  to.setDefaultLabels({ app: 'a' });
  return to;
}

function filled(): { registry: AnyRegistry; move: (value: number) => void } {
  const registry = makeRegistry();
  registry.setDefaultLabels({ app: 'a' });
  const [gauge, histogram] = register(
    registry,
    describeFamily('gauge', 'vllm:g', ['engine']),
    describeFamily('histogram', 'vllm:h', ['engine'], [1, 2]),
  );
  const foreign = new Gauge({ name: 'foreign', help: 'h', registers: [registry as Registry] });
  const move = (value: number): void => {
    for (const engine of ['0', '1', '2']) record(gauge!.family.labels(engine), value);
    record(histogram!.family.labels('0'), value);
    foreign.set(value);
  };
  return { registry, move };
}

/** What a page of these answers has. */
function seriesIn(answers: Answers): number {
  return answers.reduce((count, { values }) => count + values.length, 0);
}

describe.each(Object.entries(WRAPS))('a registry that is %s', (_, wrap) => {
  it.each(Object.entries(CHANGES))(
    'and whose answers are %s has the page of its answers',
    async (name, change) => {
      const { registry, move } = filled();
      move(1);
      const wrapped = wrap(registry, async (own) => change(await own()));
      for (const value of [1, 2, 40]) {
        move(value);
        const page = await renderMetrics(wrapped);
        expect(valuesOn(page).size).toBe(seriesIn(await json(wrapped)));
        const extra = name.startsWith('labelled') ? 'x' : undefined;
        const { samples } = readPage(page).find((family) => family.name === 'vllm:g')!;
        expect(samples.map((sample) => sample.value)).toEqual(
          Array(3).fill(value % 3 === 0 ? -value : value),
        );
        expect(samples.map(({ labels }) => labels.get('engine'))).toEqual(['0', '1', '2']);
        expect(samples.map(({ labels }) => [labels.get('app'), labels.get('extra')])).toEqual(
          Array(3).fill(['a', extra]),
        );
      }
    },
  );

  it.each(Object.entries(CHANGES))(
    'and keeps its answers, %s, gives readers all of them',
    async (_, change) => {
      const { registry, move } = filled();
      move(1);
      let kept: Promise<Answers> | undefined;
      const wrapped = wrap(registry, (own) => (kept ??= own().then(change)));
      const pages = [await renderMetrics(wrapped), await renderMetrics(wrapped)];
      const read = await json(wrapped);
      expect(read.map((answer) => answer.name)).toEqual(['vllm:g', 'vllm:h', 'foreign']);
      expect(seriesIn(read)).toBe(3 + 5 + 1);
      for (const page of pages) expect(valuesOn(page).size).toBe(9);
    },
  );
});

describe('a default label that a metric has itself', () => {
  it("stands as in prom-client's own text, whatever its value", async () => {
    const values = fc.uniqueArray(fc.constantFrom<string | number>('', 0, 1, 'a', 'z', 'é"'), {
      minLength: 1,
    });
    await fc.assert(
      fc.asyncProperty(values, async (zones) => {
        const registry = makeRegistry();
        registry.setDefaultLabels({ zone: 'z', app: 'x' });
        const gauge = new Gauge({
          name: 'g',
          help: 'h',
          labelNames: ['zone'],
          registers: [registry as Registry],
        });
        for (const [i, zone] of zones.entries()) gauge.set({ zone }, i);
        const theirs = valuesOn(await registry.metrics());
        expect(theirs.size).toBe(zones.length);
        expect(valuesOn(await renderMetrics(registry))).toEqual(theirs);
        expect(valuesOn(await registry.metrics())).toEqual(theirs); // and nothing of theirs was touched
      }),
    );
  });
});

describe('a family registered through an OpenMetrics view of a text registry', () => {
  const view = (registry: AnyRegistry): PromRegistry =>
    Object.create(registry, { contentType: { value: Registry.OPENMETRICS_CONTENT_TYPE } });

  it('keeps _total where text is written: who writes decides', async () => {
    const registry = makeRegistry();
    register(view(registry), describeFamily('counter', 'vllm:c_total'))[0]!.family.series();
    expect(await registry.metrics()).toContain('# TYPE vllm:c_total counter\nvllm:c_total 0\n');
    expect(await renderMetrics(registry)).toContain('# TYPE vllm:c_total counter\nvllm:c_total 0.0\n');
    expect(await renderMetrics(view(registry))).toContain('# TYPE vllm:c counter\nvllm:c_total 0.0\n');
  });
});

describe('a reader of getMetricsAsJSON', () => {
  it('that changes a label changes no later page', async () => {
    const { acquireFamilies } = await import('../../src/prom/register.js');
    const registry = makeRegistry();
    const labels = { engine: '0' };
    const descriptor = describeFamily('gauge', 'vllm:computed', []);
    acquireFamilies(registry, [{ descriptor, compute: () => [{ labels, value: 1 }] }], {});
    for (const { values } of await json(registry)) Object.assign(values[0]!.labels, { engine: 'changed' });
    expect(await renderMetrics(registry)).toContain('vllm:computed{engine="0"} 1.0\n');
  });
});
