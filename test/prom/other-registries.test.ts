/** Registries that are no prom-client `Registry`, and answer in their own way. */
import { Gauge, Registry } from 'prom-client';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { renderMetrics } from '../../src/prom/page/render.js';
import type { PromMetricValues, PromRegistry } from '../../src/prom/prom-client.js';
import { type AnyRegistry, describeFamily, makeRegistry, register } from '../support/registries.js';

/** A registry that asks all of `registry`'s metrics, whatever it lists itself; its first answer fails. */
function failingOnce(registry: AnyRegistry): PromRegistry {
  let asked = 0;
  return {
    contentType: registry.contentType,
    registerMetric: () => {},
    getSingleMetric: (name) => registry.getSingleMetric(name),
    getMetricsAsJSON: async () => {
      if (asked++ === 0) throw new Error('not yet');
      return registry.getMetricsAsJSON();
    },
    getMetricsAsArray: () => registry.getMetricsAsArray(),
  };
}

it('a registry that answers for all metrics when one is asked for gives each of them once', async () => {
  const registry = makeRegistry();
  for (const name of ['a', 'b']) new Gauge({ name, help: 'h', registers: [registry as Registry] });
  const page = await renderMetrics(failingOnce(registry));
  expect(page.match(/^[ab] 0$/gm)).toEqual(['a 0', 'b 0']);
});

it('a registry that hands on an answer that is none gives the others', async () => {
  const registry = makeRegistry();
  new Gauge({ name: 'a', help: 'h', registers: [registry as Registry] });
  const handingOn: PromRegistry = {
    contentType: registry.contentType,
    registerMetric: () => {},
    getSingleMetric: (name) => registry.getSingleMetric(name),
    getMetricsAsJSON: async () => [null, ...(await registry.getMetricsAsJSON()), undefined],
  };
  expect((await renderMetrics(handingOn)).match(/^a 0$/gm)).toEqual(['a 0']);
});

const broken = new Error('broken');
const FAILURES = 'rx_engine_metrics_collector_failures_total';

const linesIn = (page: string): string[] => page.trimEnd().split('\n');
const samplesIn = (page: string): string[] => linesIn(page).filter((line) => !line.startsWith('#'));

interface Askable {
  readonly name: string;
  get(): Promise<PromMetricValues>;
}

function metric(name: string, get?: () => unknown): Askable {
  const values = [{ labels: {}, value: 1 }];
  const answer: PromMetricValues = { name, help: 'h', type: 'gauge', aggregator: 'sum', values };
  return { ...answer, get: (get ?? (async () => answer)) as Askable['get'] };
}

/** A registry of another make, which asks the metrics that it lists and changes their answers. */
class Listing implements PromRegistry {
  readonly contentType = Registry.PROMETHEUS_CONTENT_TYPE;
  readonly #metrics: readonly Askable[];
  readonly change: (answers: PromMetricValues[]) => unknown;

  constructor(
    metrics: readonly Askable[],
    change: (answers: PromMetricValues[]) => unknown = (answers) => answers,
  ) {
    this.#metrics = metrics;
    // Through a view there is no private member, so the list is a property as well.
    this.getMetricsAsArray = () => [...metrics];
    this.change = change;
  }

  getMetricsAsArray: () => Askable[];
  registerMetric(): void {}

  getSingleMetric(name: string): unknown {
    return this.#metrics.find((known) => known.name === name);
  }

  async getMetricsAsJSON(): Promise<unknown> {
    return this.change(await Promise.all(this.getMetricsAsArray().map((known) => known.get())));
  }
}

afterEach(() => {
  vi.useRealTimers();
});

describe('a registry that asks the metrics it lists', () => {
  class Own extends Registry {
    override async getMetricsAsJSON(): Promise<never> {
      return (await super.getMetricsAsJSON()) as never;
    }
  }

  it('keeps its default labels beside a metric that fails, which is counted', async () => {
    const registry = new Own();
    registry.setDefaultLabels({ app: 'x' });
    new Gauge({ name: 'healthy', help: 'h', registers: [registry] }).set(1);
    registry.registerMetric(metric('sick', () => Promise.reject(broken)) as never);
    for (const pages of [1, 2, 3]) {
      const lines = linesIn(await renderMetrics(registry));
      expect(lines.filter((line) => line.includes('sick'))).toEqual([]);
      const samples = lines.filter((line) => !line.startsWith('#'));
      expect(samples).toEqual(['healthy{app="x"} 1', expect.stringMatching(`^${FAILURES}.* ${pages}\\.0$`)]);
    }
  });

  it('leaves out the metric that failed, not another of its name', async () => {
    const registry = new Listing([metric('same', () => Promise.reject(broken)), metric('same'), metric('a')]);
    expect(samplesIn(await renderMetrics(registry))).toEqual(['same 1', 'a 1']);
  });

  it('may hand on an answer that is none, or has no samples', async () => {
    const none = { name: 'b', help: 'h', type: 'gauge', aggregator: 'sum' } as const;
    const registry = new Listing([metric('a'), metric('sick', () => Promise.reject(broken))], (answers) => [
      null,
      ...answers,
      none,
    ]);
    const lines = linesIn(await renderMetrics(registry));
    expect(lines).toEqual(['# HELP a h', '# TYPE a gauge', 'a 1', '# HELP b h', '# TYPE b gauge']);
  });

  it('and fails then has asked each once', async () => {
    let asked = 0;
    const counted = metric('a', async () => {
      asked++;
      return metric('a').get();
    });
    const registry = new Listing([counted, metric('b')], () => {
      throw broken;
    });
    expect(samplesIn(await renderMetrics(registry))).toEqual(['a 1', 'b 1']);
    expect(asked).toBe(1);
  });
});

describe('a registry that asks its metrics out of sight', () => {
  /** What it has is private: a view of it is of no use. */
  class Private extends Listing {
    readonly #own: readonly Askable[];

    constructor(metrics: readonly Askable[]) {
      super(metrics);
      this.#own = metrics;
    }

    override async getMetricsAsJSON(): Promise<unknown> {
      return Promise.all(this.#own.map((known) => known.get()));
    }
  }

  it('and waits for one that hangs gives the others: these have the whole time once more', async () => {
    vi.useFakeTimers();
    const slow = metric('slow', async () => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      return metric('slow').get();
    });
    const page = renderMetrics(new Private([slow, metric('hangs', () => new Promise(() => {}))]), {
      timeoutMs: 100,
    });
    await vi.advanceTimersByTimeAsync(200);
    expect(samplesIn(await page)).toEqual(['slow 1']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('and lists none rejects when its time is up', async () => {
    vi.useFakeTimers();
    const plain: PromRegistry = {
      contentType: Registry.PROMETHEUS_CONTENT_TYPE,
      registerMetric: () => {},
      getSingleMetric: () => undefined,
      getMetricsAsJSON: () => new Promise(() => {}),
    };
    const page = expect(renderMetrics(plain, { timeoutMs: 100 })).rejects.toThrow(
      'metrics: expected within 100 ms, got none',
    );
    await vi.advanceTimersByTimeAsync(100);
    await page;
  });
});

it('a registry without a prototype takes our families', async () => {
  const registry = makeRegistry();
  const bare: PromRegistry = Object.assign(Object.create(null), {
    contentType: registry.contentType,
    registerMetric: (added: never) => registry.registerMetric(added),
    getSingleMetric: (name: string) => registry.getSingleMetric(name),
    getMetricsAsJSON: () => registry.getMetricsAsJSON(),
  });
  register(bare, describeFamily('counter', 'vllm:c_total'))[0]!.family.series();
  expect(samplesIn(await renderMetrics(bare))).toEqual(['vllm:c_total 0.0']);
  expect(await registry.metrics()).toContain('vllm:c_total 0\n');
});
