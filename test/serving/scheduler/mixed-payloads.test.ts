/** Payloads of connectors and of the cache behind them: lists that mix, depths, what this version does not know. */
import { expect, it } from 'vitest';
import type { SchedulerStats } from '../../../src/index.js';
import { Rig } from '../../support/rig.js';
import { moved, NIXL, NIXL_MOVED, operation, record } from './connector-payloads.js';

/** NIXL's payload in so many connectors. */
function nested(depth: number): unknown {
  let payload: unknown = NIXL;
  for (let i = 0; i < depth; i++) payload = { MultiConnector: payload };
  return payload;
}

it.each([
  ['a child that is null', { NixlConnector: null }, {}],
  ['a null among the records of a store', { save_put: [operation(), null] }, {}],
  ['a number among them', { save_put: [operation(), 5] }, {}],
  ['a record without a duration among them', { save_put: [operation(), { numKeys: 4 }] }, {}],
  ['the deepest that is followed', nested(8), NIXL_MOVED],
  ['one that is deeper', nested(9), {}],
])('%s', async (_, payload, expected) => {
  const rig = new Rig();
  record(rig, payload);
  expect([await moved(rig), rig.diagnostics]).toEqual([expected, []]);
});

it('every operation and status has series of its own', async () => {
  const operations = ['save_exists', 'save_put', 'load_get', 'lookup_exists', 'other'];
  const statuses = ['ok', 'error', 'partial_failure', 'other'];
  const rig = new Rig();
  const expected: Record<string, number> = {};
  operations.forEach((name, i) => {
    statuses.forEach((status, j) => {
      const count = 1 + i * statuses.length + j;
      record(rig, { [name]: [operation({ status, numKeys: count })] });
      expected[`keys_total{operation="${name}",status="${status}"}`] = count;
    });
  });
  const keys = Object.entries(await moved(rig)).filter(([key]) => key.startsWith('keys_total'));
  expect(Object.fromEntries(keys)).toEqual(expected);
});

it.each([
  [
    { save_put: [operation({ status: 'late' })] },
    'expected one of ok, error, partial_failure, counted it under other',
    'late',
  ],
  [
    { fly: [operation()] },
    'expected one of save_exists, save_put, load_get, lookup_exists, counted it under other',
    'fly',
  ],
])('names the known ones: %j', (payload, message, value) => {
  const rig = new Rig();
  record(rig, payload);
  expect(rig.diagnostics).toMatchObject([{ message, value, engineIndex: 0 }]);
});

it('tiers that hits inherit are not theirs', async () => {
  const rig = new Rig();
  const hitsBySource = Object.assign(Object.create({ disk: 5, tape: 6 }), { host: 7 });
  rig.stats({ connectorPrefixCacheStats: { hitsBySource } } as SchedulerStats);
  const tier = (name: string) =>
    rig.value('vllm:prompt_tokens_cached_by_source_total', 0, `source="${name}"`);
  expect([await tier('host'), await tier('disk'), await tier('other')]).toEqual([7, 0, undefined]);
  expect(rig.diagnostics).toEqual([]);
});
