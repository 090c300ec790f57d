/** Steps that cannot be read, or leave out what they may leave out. */
import { expect, it } from 'vitest';
import { Rig } from '../../support/rig.js';
import { removed, shown } from '../engines/removed-engine.js';

const boom = new Error('a getter');

const ITERATIONS = 'vllm:iteration_tokens_total_count';

it.each(['engineIndex', 'outputs', 'schedulerStats'])('a step whose %s throws is reported', (field) => {
  const rig = new Rig({ engines: [0] });
  const step = { engineIndex: 0, outputs: [], timestamp: 0 };
  rig.hostile(
    Object.defineProperty(step, field, {
      get: () => {
        throw boom;
      },
    }),
  );
  const message = 'expected to record a step, recorded a part of it';
  expect(rig.diagnostics).toEqual([{ source: 'recording', message, value: boom }]);
});

it.each([
  ['outputs', null],
  ['outputs', undefined],
  ['schedulerStats', null],
  ['schedulerStats', undefined],
])('a step may leave out its %s: %s', async (field, value) => {
  const rig = new Rig({ engines: [0] });
  rig.batch({ [field]: value });
  expect(rig.diagnostics).toEqual([]);
  expect(await rig.value(ITERATIONS)).toBe(0);
});

it.each([null, undefined])('a step whose stats are %s brings no engine back', async (schedulerStats) => {
  const rig = removed();
  rig.batch({ schedulerStats });
  expect(await shown(rig)).toEqual([]);
});

it('ids whose length is no whole number are no tokens', async () => {
  const rig = new Rig();
  const newTokenIds = new Proxy([1, 2], {
    get: (ids, key) => (key === 'length' ? 1.5 : Reflect.get(ids, key)),
  });
  rig.request().output(1, { timestamp: 1 }).output(0, { timestamp: 2 });
  rig.request().source.next({ engineIndex: 0, timestamp: 1, output: { requestId: 'a', newTokenIds } });
  expect(await rig.value('vllm:generation_tokens_total')).toBe(1);
  expect(rig.diagnostics).toMatchObject([
    { source: 'newTokenIds', message: 'expected an array, counted no token', value: newTokenIds },
  ]);
});
