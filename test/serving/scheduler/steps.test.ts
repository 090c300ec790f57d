/** Steps that cannot be read, or leave out what they may leave out. */
import { describe, expect, it, vi } from 'vitest';
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

describe('of several processes the one that heard of an engine last is right', () => {
  /** When this process heard of the engine's scheduler last, as the JSON for other processes says; in ms. */
  const heardAt = async (rig: Rig): Promise<unknown> => {
    const answers = JSON.parse(JSON.stringify(await rig.registry.getMetricsAsJSON()));
    const { values } = answers.find(({ name }: { name: string }) => name === 'vllm:num_requests_running');
    return values[0].setAt?.['m/0'];
  };

  it('by steps with stats; those without say nothing of it', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 5_000 });
    try {
      const rig = new Rig({ engines: [0] });
      expect(await heardAt(rig)).toBeUndefined();
      rig.batch({});
      expect(await heardAt(rig)).toBeUndefined();
      rig.stats({ numRunningReqs: 1 });
      vi.advanceTimersByTime(100);
      rig.batch({});
      expect(await heardAt(rig)).toBe(5_000);
      rig.stats({ numRunningReqs: 1 });
      expect(await heardAt(rig)).toBe(5_100);
    } finally {
      vi.useRealTimers();
    }
  });
});
