/** Every collector is asked once a page; who fails or hangs is left out and counted. */
import fc from 'fast-check';
import { Gauge, type Registry } from 'prom-client';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { metricsChunks, renderMetrics } from '../../src/prom/page/render.js';
import { readPage } from '../support/read-page.js';
import { type AnyRegistry, describeFamily, makeRegistry, record, register } from '../support/registries.js';

const FAILURES = 'rx_engine_metrics_collector_failures_total';

type Behaviour = 'answers' | 'throws' | 'rejects' | 'nonsense' | 'hangs';

/** A metric that answers how often it was asked, or fails in its way. */
function addCounted(registry: AnyRegistry, name: string, behaviour: () => Behaviour): () => number {
  let asked = 0;
  const get = (): unknown => {
    asked++;
    if (behaviour() === 'throws') throw new Error('broken');
    if (behaviour() === 'rejects') return Promise.reject(new Error('broken'));
    if (behaviour() === 'nonsense') return Promise.resolve({ name, values: 3 });
    if (behaviour() === 'hangs') return new Promise(() => {});
    return { name, help: 'h', type: 'gauge', aggregator: 'sum', values: [{ labels: {}, value: asked }] };
  };
  registry.registerMetric({ name, help: 'h', type: 'gauge', aggregator: 'sum', get } as never);
  return () => asked;
}

const samplesOf = async (registry: AnyRegistry, timeoutMs?: number): Promise<Map<string, number>> => {
  const page = readPage(await renderMetrics(registry, { timeoutMs }));
  return new Map(page.flatMap(({ samples }) => samples.map(({ name, value }) => [name, value] as const)));
};

afterEach(() => {
  vi.useRealTimers();
});

describe('a collector', () => {
  it('is asked once a page, whichever of the others fail, and its first answer is the one on the page', async () => {
    const behaviours = fc.array(fc.constantFrom<Behaviour>('answers', 'throws', 'rejects', 'nonsense'), {
      minLength: 1,
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(behaviours, fc.boolean(), async (all, labelled) => {
        const registry = makeRegistry();
        if (labelled) registry.setDefaultLabels({ app: 'x' });
        record(register(registry, describeFamily('gauge', 'vllm:g'))[0]!.family.labels(), 1);
        const counts = all.map((behaviour, i) => addCounted(registry, `m${i}`, () => behaviour));
        const failing = all.filter((behaviour) => behaviour !== 'answers').length;
        for (let page = 1; page <= 3; page++) {
          const samples = await samplesOf(registry);
          expect(counts.map((count) => count())).toEqual(all.map(() => page));
          const shown = all.map((behaviour) => (behaviour === 'answers' ? page : undefined));
          expect(all.map((_, i) => samples.get(`m${i}`))).toEqual(shown);
          expect(samples.get(FAILURES)).toBe(failing > 0 ? failing * page : undefined);
          expect(samples.get('vllm:g')).toBe(1);
        }
      }),
      { numRuns: 50 },
    );
  });

  it('that gives its value and clears it shows the value, also beside one that throws', async () => {
    const registry = makeRegistry();
    const gauge = new Gauge({
      name: 'cleared',
      help: 'h',
      registers: [registry as Registry],
      collect() {
        this.set(first ? 7 : 0);
        first = false;
      },
    });
    let first = true;
    addCounted(registry, 'sick', () => 'throws');
    expect(await renderMetrics(registry)).toContain('cleared 7\n');
    expect(gauge).toBeDefined();
  });

  it('that has failed leaves its count on later pages, and the family where the registry puts it', async () => {
    const registry = makeRegistry();
    let behaviour: Behaviour = 'rejects';
    addCounted(registry, 'm', () => behaviour);
    expect((await samplesOf(registry)).get(FAILURES)).toBe(1);
    behaviour = 'answers';
    expect((await samplesOf(registry)).get(FAILURES)).toBe(1);
    expect(await registry.metrics()).toContain(`${FAILURES} 1`);
  });

  it('that fails costs no page where the name of the count is taken', async () => {
    const registry = makeRegistry();
    new Gauge({ name: FAILURES, help: 'h', registers: [registry as Registry] }).set(5);
    addCounted(registry, 'm', () => 'rejects');
    expect(await samplesOf(registry)).toEqual(new Map([[FAILURES, 5]]));
  });
});

describe('a collector that hangs', () => {
  it.each([
    [undefined, 10_000],
    [250, 250],
  ])('is left out and counted after timeoutMs: %s', async (timeoutMs, ms) => {
    vi.useFakeTimers();
    const registry = makeRegistry();
    addCounted(registry, 'm', () => 'hangs');
    addCounted(registry, 'n', () => 'answers');
    let isOver = false;
    const read = samplesOf(registry, timeoutMs).finally(() => {
      isOver = true;
    });
    await vi.advanceTimersByTimeAsync(ms - 1);
    expect(isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect([...(await read)]).toEqual([
      ['n', 1],
      [FAILURES, 1],
    ]);
  });

  it.each([2 ** 31 - 1, 2 ** 31, Infinity])(
    'is waited for in spite of a large timeoutMs: %s',
    async (timeoutMs) => {
      vi.useFakeTimers();
      const registry = makeRegistry();
      addCounted(registry, 'm', () => 'hangs');
      let isOver = false;
      void samplesOf(registry, timeoutMs).finally(() => {
        isOver = true;
      });
      await vi.advanceTimersByTimeAsync(86_400_000); // a timer's delay of 2 ** 31 ms is over at once
      expect(isOver).toBe(false);
    },
  );

  it('holds no other page up, and no timer is left behind', async () => {
    const registry = makeRegistry();
    let behaviour: Behaviour = 'hangs';
    addCounted(registry, 'm', () => behaviour);
    const hung = renderMetrics(registry, { timeoutMs: 40 });
    behaviour = 'answers';
    expect((await samplesOf(registry)).get('m')).toBe(2);
    expect(await hung).toBe(await hung);
    vi.useFakeTimers();
    await renderMetrics(registry);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is left out of chunks as well', async () => {
    const registry = makeRegistry();
    addCounted(registry, 'm', () => 'hangs');
    const chunks: Uint8Array[] = [];
    for await (const chunk of metricsChunks(registry, { timeoutMs: 5 })) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toContain(`${FAILURES} 1.0\n`);
  });

  it.each([0, -1, NaN, '5', {}])('is not waited for %s ms', async (timeoutMs) => {
    const options = { timeoutMs } as { timeoutMs: number };
    const message = (subject: string) =>
      new RegExp(`^${subject}: expected timeoutMs to be a positive number of milliseconds, got`);
    await expect(renderMetrics(makeRegistry(), options)).rejects.toThrow(message('renderMetrics'));
    expect(() => metricsChunks(makeRegistry(), options)).toThrow(message('metricsChunks'));
  });
});

describe('chunks that are kept', () => {
  it('are a page at each iteration', async () => {
    const registry = makeRegistry();
    const [shared] = register(registry, describeFamily('gauge', 'vllm:g'));
    const kept = metricsChunks(registry);
    for (const value of [1, 2, 2]) {
      record(shared!.family.labels(), value);
      const read: Uint8Array[] = [];
      for await (const chunk of kept) read.push(chunk);
      expect(Buffer.concat(read).toString()).toContain(`vllm:g ${value}.0\n`);
    }
  });
});
