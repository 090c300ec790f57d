/** Pages made in slices, while everything goes on. */
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { metricsChunks, renderMetrics } from '../../../src/prom/page/render.js';
import type { RegisteredFamily } from '../../../src/prom/registered-family.js';
import { readPage, valuesOn } from '../../support/read-page.js';
import {
  type AnyRegistry,
  describeFamily,
  freshCopy,
  makeRegistry,
  record,
  register,
} from '../../support/registries.js';

/** Makes every slice end at its first chance. */
function sliceOften(): void {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 10));
}

afterEach(() => {
  vi.restoreAllMocks();
});

const BOUNDS = Array.from({ length: 60 }, (_, i) => i + 1);

/** Families that take several blocks each. */
function largeRegistry(engines = 60): { registry: AnyRegistry; shared: ReturnType<typeof register> } {
  const registry = makeRegistry();
  const shared = register(
    registry,
    describeFamily('histogram', 'vllm:h', ['engine', 'model_name'], BOUNDS),
    describeFamily('counter', 'vllm:c_total', ['engine', 'model_name']),
    describeFamily('histogram', 'vllm:k', ['engine', 'model_name'], BOUNDS),
  );
  for (const { family } of shared) for (let i = 0; i < engines; i++) family.series(String(i), 'm');
  return { registry, shared };
}

async function bytesOf(registry: AnyRegistry): Promise<Buffer[]> {
  const chunks: Buffer[] = [];
  for await (const chunk of metricsChunks(registry)) chunks.push(Buffer.from(chunk));
  return chunks;
}

describe('a page of many blocks', () => {
  it('brought up to date is the page made afresh, whatever comes, goes and moves', async () => {
    const change = fc.record({
      family: fc.nat({ max: 2 }),
      engine: fc.nat({ max: 90 }),
      what: fc.constantFrom('record', 'record', 'hide', 'show', 'remove', 'all'),
      value: fc.constantFrom(0, 1, 5, 9.5, 1e6, 12345),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(change, { maxLength: 4 }), { maxLength: 6 }), async (scrapes) => {
        const { registry, shared } = largeRegistry();
        for (const changes of scrapes) {
          for (const { family: at, engine, what, value } of changes) {
            const { family } = shared[at]!;
            const series = family.series(String(engine), 'm');
            if (what === 'hide' || what === 'show') family.hide(series, what === 'hide');
            else if (what === 'remove') family.remove(series);
            else if (what === 'record') record(family.labels(String(engine), 'm'), value);
            else for (const each of family.all()) each.cells[0]! += value;
          }
          expect(await renderMetrics(registry)).toBe(await renderMetrics(freshCopy(registry)));
        }
      }),
      { numRuns: 25 },
    );
  });

  it.each([6, 60, 600])('is the same in chunks, in slices or not: %d engines', async (engines) => {
    const { registry, shared } = largeRegistry(engines);
    record(shared[1]!.family.labels('é€😀', 'm'), 3);
    const page = await renderMetrics(registry);
    expect(Buffer.concat(await bytesOf(registry)).toString()).toBe(page);
    sliceOften();
    expect(await renderMetrics(freshCopy(registry))).toBe(page);
    const chunks = await bytesOf(registry);
    expect(Math.max(...chunks.map(({ length }) => length))).toBeLessThanOrEqual(256_000);
    expect(Buffer.concat(chunks).equals(Buffer.from(page))).toBe(true);
  });

  it('of more than 4 MB is put together from pieces, wide ones among them', async () => {
    const { registry, shared } = largeRegistry(700);
    record(shared[2]!.family.labels('é', 'm'), 3);
    const page = await renderMetrics(registry);
    expect(page.length).toBeGreaterThan(1 << 22);
    expect(page).toContain('engine="é"');
    expect(Buffer.concat(await bytesOf(registry)).equals(Buffer.from(page))).toBe(true);
  });
});

describe('a page that outgrows its memory', () => {
  it('or has far too much of it, is the page made afresh', async () => {
    const registry = makeRegistry();
    const [{ family }] = register(registry, describeFamily('gauge', 'vllm:g', ['i'])) as [RegisteredFamily];
    for (const [count, value] of [
      [4_000, 0],
      [4_000, 1 / 8_100_000],
      [4_000, 7],
      [12_000, 0.1],
      [12_000, 1 / 8_100_000],
      [3, 1],
      [5, 22],
      [12_000, 1e-9],
    ] as const) {
      for (let i = 0; i < count; i++) {
        record(family.labels(String(i)), value);
        family.hide(family.series(String(i)), false);
      }
      for (let i = count; i < 12_000; i++) family.hide(family.series(String(i)), true);
      expect(await renderMetrics(registry)).toBe(await renderMetrics(freshCopy(registry)));
    }
  });
});

describe('chunks', () => {
  it('that are read slowly are those of one moment', async () => {
    const { registry, shared } = largeRegistry(200);
    const page = await renderMetrics(registry);
    const read: Uint8Array[] = [];
    for await (const chunk of metricsChunks(registry)) {
      read.push(chunk);
      record(shared[0]!.family.labels(String(read.length), 'm'), 1e9);
      expect(await renderMetrics(registry)).not.toBe(page);
    }
    expect(read.length).toBeGreaterThan(3);
    expect(Buffer.concat(read).toString()).toBe(page);
  });

  it('belong to the reader', async () => {
    const { registry } = largeRegistry();
    const page = await renderMetrics(registry);
    for await (const chunk of metricsChunks(registry)) chunk.fill(0);
    expect(await renderMetrics(registry)).toBe(page);
  });

  it('hold nothing up when the reader leaves', async () => {
    const { registry } = largeRegistry();
    for await (const chunk of metricsChunks(registry)) {
      expect(chunk.length).toBeGreaterThan(0);
      break;
    }
    expect(await renderMetrics(registry)).toContain('vllm:k_sum');
  });

  it('are none for an empty registry', async () => {
    expect(await bytesOf(makeRegistry())).toEqual([]);
  });
});

/** Fails unless each histogram's buckets rise, end in its count, and go with its sum (all samples are 2). */
function expectWholeHistograms(page: string): void {
  for (const { samples, type } of readPage(page)) {
    if (type !== 'histogram') continue;
    for (let i = 0; i < samples.length; i += BOUNDS.length + 3) {
      const values = samples.slice(i, i + BOUNDS.length + 3).map(({ value }) => value);
      const [sum, count] = [values.pop()!, values.pop()!];
      expect(values).toEqual([...values].sort((a, b) => a - b));
      expect([values.at(-1), sum]).toEqual([count, 2 * count]);
    }
  }
}

describe('scrapes that overlap recordings, removals and each other', () => {
  it('give whole pages whose totals never fall', async () => {
    sliceOften();
    const { registry, shared } = largeRegistry(12);
    const pages: string[] = [];
    const scrapes: Promise<unknown>[] = [];
    for (let turn = 0; turn < 40; turn++) {
      for (const { family } of shared) {
        for (let engine = turn % 7; engine < 12 + turn / 2; engine += 7)
          record(family.labels(String(engine), 'm'), 2);
        family.hide(family.series(String(turn % 12), 'm'), turn % 3 === 0);
      }
      if (turn % 5 === 0) scrapes.push(renderMetrics(registry).then((page) => pages.push(page)));
      if (turn % 20 === 0)
        scrapes.push(bytesOf(registry).then((all) => pages.push(Buffer.concat(all).toString())));
      await new Promise(setImmediate);
    }
    await Promise.all(scrapes);
    expect(pages).toHaveLength(10);
    const last = new Map<string, number>();
    const fallen: string[] = [];
    for (const page of pages) {
      expectWholeHistograms(page);
      for (const [series, value] of valuesOn(page)) {
        if (value < (last.get(series) ?? 0)) fallen.push(series);
        last.set(series, value);
      }
    }
    expect(fallen).toEqual([]);
  });

  it('see what was recorded before they were asked for', async () => {
    sliceOften();
    const { registry, shared } = largeRegistry();
    const counter = shared[1]!.family.labels('0', 'm');
    const pages: Promise<string>[] = [];
    for (let i = 1; i <= 5; i++) {
      record(counter, 1);
      pages.push(renderMetrics(registry));
    }
    const counts = (await Promise.all(pages)).map((page) =>
      Number(/c_total\{engine="0".*\} (\S+)/u.exec(page)![1]),
    );
    for (const [i, count] of counts.entries()) expect(count).toBeGreaterThanOrEqual(i + 1);
  });

  it('leave getMetricsAsJSON and metrics() of the same moment their values', async () => {
    const { registry } = largeRegistry(2);
    const [json, text] = [await registry.getMetricsAsJSON(), await registry.metrics()];
    const together = Promise.all([
      renderMetrics(registry),
      registry.getMetricsAsJSON(),
      registry.metrics(),
      renderMetrics(registry),
    ]);
    const [first, values, theirs, second] = await together;
    expect([values, theirs]).toEqual([json, text]);
    expect(first).toBe(second);
  });

  it('start afresh after one that failed', async () => {
    const { registry, shared } = largeRegistry();
    const page = await renderMetrics(registry);
    record(shared[1]!.family.labels('0', 'm'), 1);
    vi.spyOn(performance, 'now').mockImplementation(() => {
      throw new Error('clock');
    });
    await expect(renderMetrics(registry)).rejects.toThrow('clock');
    vi.restoreAllMocks();
    expect(await renderMetrics(registry)).toBe(
      page.replace('c_total{engine="0",model_name="m"} 0', 'c_total{engine="0",model_name="m"} 1'),
    );
  });
});
