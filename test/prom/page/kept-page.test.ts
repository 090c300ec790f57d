/** A page that is kept from scrape to scrape is, byte by byte, the page that a registry without one would get. */
import { describe, expect, it } from 'vitest';
import { metricsChunks, renderMetrics } from '../../../src/prom/page/render.js';
import type { RegisteredFamily } from '../../../src/prom/registered-family.js';
import {
  type AnyRegistry,
  describeFamily,
  freshCopy,
  makeRegistry,
  register,
} from '../../support/registries.js';

const LABELS = ['engine', 'model_name', 'zone'];
const ENGINES = 24;

interface World {
  readonly registry: AnyRegistry;
  readonly histogram: RegisteredFamily;
  readonly counter: RegisteredFamily;
  readonly gauge: RegisteredFamily;
}

function world(): World {
  const registry = makeRegistry();
  const [histogram, counter, gauge] = register(
    registry,
    describeFamily('histogram', 'vllm:h', LABELS, [0.5, 1, 8]),
    describeFamily('counter', 'vllm:c_total', LABELS),
    describeFamily('gauge', 'vllm:g', LABELS),
  ) as [RegisteredFamily, RegisteredFamily, RegisteredFamily];
  const made = { registry, histogram, counter, gauge };
  for (const shared of [histogram, counter, gauge])
    for (let i = 0; i < ENGINES; i++) shared.family.series(String(i), i % 5 === 0 ? 'modèle' : 'm', `z${i}`);
  return made;
}

function cellsOf({ family }: RegisteredFamily): Float64Array[] {
  return Array.from(family.all(), ({ cells }) => cells);
}

/** What happens between two scrapes. */
const CHANGES: readonly (readonly [name: string, change: (world: World) => void])[] = [
  ['nothing', () => {}],
  ['a count that stays as wide', ({ counter }) => (cellsOf(counter)[3]![0] = 7)],
  ['a count that becomes wider', ({ counter }) => (cellsOf(counter)[3]![0] = 12345)],
  [
    'several that become wider and narrower',
    ({ gauge }) => {
      const cells = cellsOf(gauge);
      for (const [i, value] of [999, 1000, -5, 1e6, 0.25, 2 ** 40].entries()) cells[3 * i]![0] = value;
    },
  ],
  [
    'values that are no counts and stay as wide',
    ({ gauge }) => {
      const cells = cellsOf(gauge);
      for (const [i, value] of [-6, 2e6, 0.75].entries()) cells[6 + 3 * i]![0] = value;
    },
  ],
  ['the last value of a family', ({ gauge }) => (cellsOf(gauge).at(-1)![0] = 123456)],
  ['minus zero', ({ gauge }) => (cellsOf(gauge)[0]![0] = -0)],
  ['one bucket of one engine', ({ histogram }) => (cellsOf(histogram)[0]![2]! += 1)],
  [
    'the last bucket and the sum of a later engine',
    ({ histogram }) => {
      const cells = cellsOf(histogram)[9]!;
      cells[3]! += 100;
      cells[4]! += 99.5;
    },
  ],
  ['a sum alone', ({ histogram }) => (cellsOf(histogram)[ENGINES - 1]![4]! += 0.125)],
  ['back to nothing', ({ registry }) => registry.resetMetrics()],
  [
    'every cell',
    (all) => {
      for (const shared of [all.histogram, all.counter, all.gauge])
        for (const [i, cells] of cellsOf(shared).entries())
          for (let k = 0; k < cells.length; k++) cells[k]! += i + k;
    },
  ],
  [
    'buckets that move against each other',
    ({ histogram }) => {
      const cells = cellsOf(histogram)[4]!;
      cells[0]! += 5;
      cells[1]! -= 5;
    },
  ],
  [
    'the first bucket of the engine after one that moved',
    ({ histogram }) => {
      const [before, after] = cellsOf(histogram).slice(5, 7);
      before![2]! += 1;
      after![0]! += 1;
    },
  ],
  ['back to nothing', ({ registry }) => registry.resetMetrics()],
  ['a series that hides', ({ counter: { family } }) => family.hide(family.series('2', 'm', 'z2'), true)],
  [
    'one that shows again and one that leaves',
    ({ counter: { family } }) => {
      family.hide(family.series('2', 'm', 'z2'), false);
      family.remove(family.series('4', 'm', 'z4'));
    },
  ],
  ['one that comes', ({ histogram: { family } }) => family.labels('new', 'm', 'ž') && undefined],
];

describe('a kept page', () => {
  it('is the page of a registry that has none, after each change', async () => {
    const all = world();
    for (const [name, change] of [...CHANGES, ...CHANGES]) {
      change(all);
      const page = await renderMetrics(all.registry);
      expect(page, name).toBe(await renderMetrics(freshCopy(all.registry)));
    }
  });

  it('says what the cells say', async () => {
    const { registry, histogram, gauge } = world();
    await renderMetrics(registry);
    cellsOf(histogram)[1]!.set([1, 2, 0, 4, 31.5]);
    cellsOf(gauge)[1]![0] = 1e6;
    const lines = (await renderMetrics(registry)).split('\n').filter((line) => line.includes('engine="1"'));
    expect(lines).toEqual([
      'vllm:h_bucket{engine="1",le="0.5",model_name="m",zone="z1"} 1.0',
      'vllm:h_bucket{engine="1",le="1.0",model_name="m",zone="z1"} 3.0',
      'vllm:h_bucket{engine="1",le="8.0",model_name="m",zone="z1"} 3.0',
      'vllm:h_bucket{engine="1",le="+Inf",model_name="m",zone="z1"} 7.0',
      'vllm:h_count{engine="1",model_name="m",zone="z1"} 7.0',
      'vllm:h_sum{engine="1",model_name="m",zone="z1"} 31.5',
      'vllm:c_total{engine="1",model_name="m",zone="z1"} 0.0',
      'vllm:g{engine="1",model_name="m",zone="z1"} 1e+06',
    ]);
  });

  it('is the same string as long as nothing moves, and the same bytes in chunks', async () => {
    const { registry, gauge } = world();
    const page = await renderMetrics(registry);
    const chunks: Uint8Array[] = [];
    for await (const chunk of metricsChunks(registry)) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toBe(page);
    cellsOf(gauge)[0]![0] = 5; // as wide as before
    expect(await renderMetrics(registry)).not.toBe(page);
    expect(Buffer.concat(chunks).toString()).toBe(page); // nobody else's bytes
  });
});
