/** The cache configuration: fields that cannot be read, small floats, label sets that agree. */
import { expect, it } from 'vitest';
import { Rig } from '../../support/rig.js';

const INFO = 'vllm:cache_config_info';
const REFUSED = 'expected a label name and a value that Python prints, left it out';

it.each([
  [1e-9, '1e-09'],
  [1e-10, '1e-10'],
  [2.5e-300, '2.5e-300'],
])('spells %s as Python does', async (value, text) => {
  const rig = new Rig();
  rig.metrics.setCacheConfig(0, { field: value });
  expect(await rig.family(INFO)).toEqual({ [`{engine="0",field="${text}"}`]: 1 });
});

it('reports each field that cannot be read or printed', () => {
  const rig = new Rig();
  rig.metrics.setCacheConfig(0, {
    anInstance: new Date(0),
    get broken(): string {
      throw new Error('a getter');
    },
    ok: 1,
  });
  const refused = (value: string) => ({ source: 'cacheConfig', message: REFUSED, value, engineIndex: 0 });
  expect(rig.diagnostics).toEqual([refused('anInstance'), refused('broken')]);
});

it('reports fields that cannot be listed, once, and shows the engine alone', async () => {
  const rig = new Rig();
  const fields = new Proxy<Record<string, unknown>>(
    {},
    {
      ownKeys: () => {
        throw new Error('a trap');
      },
      get: () => 1,
    },
  );
  rig.metrics.setCacheConfig(0, fields);
  expect(rig.diagnostics).toMatchObject([{ source: 'cacheConfig', value: 'all of it' }]);
  expect(await rig.family(INFO)).toEqual({ '{engine="0"}': 1 });
});

it.each([
  [
    { a: 1, z: 2 },
    { z: 2, a: 1 },
  ],
  [
    { z: 2, a: 1 },
    { a: 1, z: 2 },
  ],
  [
    { a: 1, m: 3, z: 2 },
    { m: 3, z: 2, a: 1 },
  ],
])('of two models that agree is one sample: %j, %j', async (one, other) => {
  const rig = new Rig();
  rig.metrics.setCacheConfig(0, one);
  rig.sibling({ modelName: 'other' }).metrics.setCacheConfig(0, other);
  const lines = (await rig.registry.metrics()).split('\n').filter((line) => line.startsWith(`${INFO}{`));
  expect(lines).toHaveLength(1);
});
