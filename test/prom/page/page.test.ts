/** What a scrape does to a page: nothing, overwrite what moved where it stands, or write it anew. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Series } from '../../../src/metric/series.js';
import { Page } from '../../../src/prom/page/page.js';
import { textOf } from '../../../src/prom/page/page-text.js';
import { Slices } from '../../../src/prom/page/slices.js';
import type { RegisteredFamily } from '../../../src/prom/registered-family.js';
import { scrapeOf } from '../../../src/prom/scrape.js';
import { type AnyRegistry, describeFamily, makeRegistry, register } from '../../support/registries.js';

let registry: AnyRegistry;
let counter: RegisteredFamily;
let page: Page;

/** Slices that are always over; how often the event loop ran. */
class EverySlice extends Slices {
  turns = 0;

  override due(): boolean {
    return true;
  }

  override async next(): Promise<void> {
    this.turns++;
  }
}

async function refresh(slices: Slices = new Slices()): Promise<void> {
  await page.refresh(await scrapeOf(registry, 10_000), slices);
}

/** Where the page stands, and whether its string was kept. */
async function standing(): Promise<readonly [bytes: Uint8Array, start: number, textIsKept: boolean]> {
  await refresh();
  const isKept = page.text !== undefined;
  await textOf(page, new Slices());
  return [page.memory.bytes, page.memory.start, isKept];
}

function seriesOf(engine: number): Series {
  return counter.family.series(String(engine));
}

beforeEach(async () => {
  registry = makeRegistry();
  const shared = register(registry, describeFamily('counter', 'vllm:c_total', ['engine']), {
    ...describeFamily('histogram', 'vllm:h', ['engine'], [1, 2]),
  });
  counter = shared[0]!;
  for (const { family } of shared) for (let i = 0; i < 3; i++) family.series(String(i));
  page = new Page();
  await standing();
  seriesOf(0).cells[0] = 10; // the second page of other length has two halves
  await standing();
});

describe('a page', () => {
  it('stays where it is, with its string, if nothing moved', async () => {
    const [bytes, start] = await standing();
    const after = await standing();
    expect([after[0] === bytes, after[1] === start, after[2]]).toEqual([true, true, true]);
  });

  it.each([
    ['a count', 11],
    ['no count', 0.25],
  ])('is overwritten where it stands by what is as wide: %s', async (_, value) => {
    const [bytes, start] = await standing();
    seriesOf(0).cells[0] = value;
    const after = await standing();
    expect([after[0] === bytes, after[1] === start, after[2]]).toEqual([true, true, false]);
    expect(page.text).toContain(`vllm:c_total{engine="0"} ${value === 11 ? '11.0' : '0.25'}\n`);
  });

  it('is written to the other half when a value becomes wider, and back when one becomes narrower', async () => {
    const [bytes, start] = await standing();
    seriesOf(1).cells[0] = 100;
    const wider = await standing();
    expect([wider[0] === bytes, wider[1] === start, wider[2]]).toEqual([true, false, false]);
    seriesOf(1).cells[0] = 1;
    const back = await standing();
    expect([back[0] === bytes, back[1] === start, back[2]]).toEqual([true, true, false]);
  });

  it.each([
    ['comes', () => seriesOf(7)],
    ['hides', () => counter.family.hide(seriesOf(1), true)],
    ['leaves', () => counter.family.remove(seriesOf(2))],
  ])('is written to the other half when a series %s', async (_, change) => {
    const [bytes, start] = await standing();
    change();
    const after = await standing();
    expect([after[0] === bytes, after[1] === start, after[2]]).toEqual([true, false, false]);
  });

  it('is written anew when metrics change places', async () => {
    const [bytes, start] = await standing();
    const metric = registry.getSingleMetric('vllm:c_total')!;
    registry.removeSingleMetric('vllm:c_total');
    registry.registerMetric(metric);
    const after = await standing();
    expect([after[0] === bytes, after[1] === start, after[2]]).toEqual([true, false, false]);
    const names = [...page.text!.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
    expect(names).toEqual(['vllm:h', 'vllm:c_total']);
  });

  it('without a metric is empty, and forgets its string', async () => {
    registry.clear();
    expect((await standing())[2]).toBe(false);
    expect(page.text).toBe('');
  });

  it('is made in one go if there is time', async () => {
    const never = new EverySlice();
    never.due = () => false;
    await refresh(never);
    seriesOf(0).cells[0] = 12345;
    await refresh(never);
    expect(never.turns).toBe(0);
  });

  it('lets the event loop run after each metric and each block, written or not', async () => {
    const blocks = 2 + 2 + 1; // header and series of each family, the end
    const still = new EverySlice();
    await refresh(still);
    expect(still.turns).toBe(2 + blocks);
    seriesOf(0).cells[0] = 12345;
    const moved = new EverySlice();
    await refresh(moved);
    expect(moved.turns).toBe(2 + blocks + 1); // the header before it is written with it
    page = new Page();
    const first = new EverySlice();
    await refresh(first);
    expect(first.turns).toBe(2 + blocks);
  });
});
