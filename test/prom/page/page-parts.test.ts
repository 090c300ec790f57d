/** The parts of a page: kept while they are what they were, made in slices. */
import { describe, expect, it } from 'vitest';
import { PageParts } from '../../../src/prom/page/page-parts.js';
import { renderMetrics } from '../../../src/prom/page/render.js';
import { Slices } from '../../../src/prom/page/slices.js';
import { scrapeOf } from '../../../src/prom/scrape.js';
import { type AnyRegistry, describeFamily, makeRegistry, register } from '../../support/registries.js';

/** Slices that are always over, or never, and count the turns that were asked for. */
class CountedSlices {
  turns = 0;
  readonly #isDue: boolean;

  constructor(isDue: boolean) {
    this.#isDue = isDue;
  }

  due(): boolean {
    return this.#isDue;
  }

  async next(): Promise<void> {
    this.turns++;
  }
}

function addForeign(registry: AnyRegistry, name: string, samples: number): void {
  const values = Array.from({ length: samples }, (_, i) => ({ labels: { i: `${i}` }, value: i }));
  const answer = { name, help: 'h', type: 'gauge', aggregator: 'sum', values };
  registry.registerMetric({ ...answer, get: async () => answer } as never);
}

async function turnsOf(registry: AnyRegistry, isDue: boolean): Promise<number> {
  const slices = new CountedSlices(isDue);
  await new PageParts().next(await scrapeOf(registry, 10_000), slices as unknown as Slices);
  return slices.turns;
}

async function partsOf(parts: PageParts, registry: AnyRegistry): Promise<readonly object[]> {
  return parts.next(await scrapeOf(registry, 10_000), new Slices());
}

describe('the parts of a page', () => {
  it('let the event loop run after each text and each metric, if it is time', async () => {
    const registry = makeRegistry();
    expect(await turnsOf(registry, true)).toBe(0);
    addForeign(registry, 'g', 600);
    expect(await turnsOf(registry, false)).toBe(0);
    expect(await turnsOf(registry, true)).toBe(1 + 3 + 1); // the header, 600 samples by 256, the metric
    register(registry, describeFamily('gauge', 'vllm:g'));
    expect(await turnsOf(registry, true)).toBe(5 + 1);
  });

  it('are the same ones while the same metrics are there', async () => {
    const registry = makeRegistry();
    registry.setDefaultLabels({ a: '1' });
    register(registry, describeFamily('gauge', 'vllm:g'))[0]!.family.series();
    addForeign(registry, 'g', 300);
    const parts = new PageParts();
    const first = await partsOf(parts, registry);
    expect(first).toHaveLength(2 + 3 + 1); // ours: header and series; header and 300 samples by 256; the end
    const second = await partsOf(parts, registry);
    expect(second.map((part, i) => part === first[i])).toEqual(first.map(() => true));
  });

  it('are forgotten with their metric', async () => {
    const registry = makeRegistry();
    const [shared] = register(registry, describeFamily('gauge', 'vllm:g'));
    addForeign(registry, 'g', 1);
    const parts = new PageParts();
    const first = await partsOf(parts, registry);
    const [ours, theirs] = ['vllm:g', 'g'].map((name) => registry.getSingleMetric(name)!);
    registry.clear();
    expect(await partsOf(parts, registry)).toEqual(first.slice(-1));
    registry.registerMetric(ours as never);
    registry.registerMetric(theirs as never);
    const again = await partsOf(parts, registry);
    expect(again).toHaveLength(first.length);
    expect(again.slice(0, -1).filter((part) => first.includes(part))).toEqual([]);
    expect(shared!.family.all()).toBeDefined();
  });
});

describe('default labels', () => {
  const SETS: readonly Record<string, string>[] = [
    { a: '1' },
    { a: '1', b: '2' },
    { a: '1', b: '3' },
    { b: '3' },
    { c: '3' },
    { b: '3', c: '3' },
    { c: '3', b: '3' },
    {},
  ];

  it('that come, go and change one by one are on every line', async () => {
    const registry = makeRegistry();
    register(registry, describeFamily('gauge', 'vllm:g'))[0]!.family.series();
    for (const labels of SETS) {
      registry.setDefaultLabels(labels);
      const pairs = Object.entries(labels).sort();
      const text = pairs.map(([name, value]) => `${name}="${value}"`).join(',');
      const line = (await renderMetrics(registry)).split('\n')[2];
      expect(line).toBe(`vllm:g${text === '' ? '' : `{${text}}`} 0.0`);
    }
  });
});
