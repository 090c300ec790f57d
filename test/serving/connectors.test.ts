import { describe, expect, it } from 'vitest';
import type { SchedulerStats } from '../../src/index.js';
import { Rig } from './rig.js';

const record = (rig: Rig, kvConnectorStats: unknown) =>
  rig.stats({ kvConnectorStats } as unknown as SchedulerStats);

/** The connector families' samples that are not 0, `vllm:` and model left out; buckets too. */
async function moved(rig: Rig): Promise<Record<string, number>> {
  const entries = [...(await rig.samples())].filter(
    ([key, value]) => /^vllm:(nixl|mooncake)/.test(key) && !key.includes('_bucket') && value !== 0,
  );
  return Object.fromEntries(
    entries.map(([key, value]) => [
      key
        .replace(/^vllm:(?:nixl_|mooncake_store_operation_?)/, '')
        .replace('engine="0",', '')
        .replace(/,?model_name="m",?/, '')
        .replace('{}', ''),
      value,
    ]),
  );
}

const NIXL = {
  transferDuration: [0.25, 0.5],
  postDuration: [0.125, 0.125],
  bytesTransferred: [1024, 4096],
  numDescriptors: [10, 30],
  numFailedTransfers: [1],
  numFailedNotifications: [1, 1],
  numKvExpiredReqs: [3],
};
const NIXL_MOVED = {
  xfer_time_seconds_count: 2,
  xfer_time_seconds_sum: 0.75,
  post_time_seconds_count: 2,
  post_time_seconds_sum: 0.25,
  bytes_transferred_count: 2,
  bytes_transferred_sum: 5120,
  num_descriptors_count: 2,
  num_descriptors_sum: 40,
  num_failed_transfers_total: 1,
  num_failed_notifications_total: 2,
  num_kv_expired_reqs_total: 3,
};

const operation = (over: Record<string, unknown> = {}) => ({
  ...{ durationSeconds: 0.5, numKeys: 4, numBytes: 100, status: 'ok', numFailedKeys: 0 },
  ...over,
});
const PUT = { save_put: [operation(), operation({ durationSeconds: 1 })] };
const PUT_MOVED = {
  'time_seconds_count{operation="save_put",status="ok"}': 2,
  'time_seconds_sum{operation="save_put",status="ok"}': 1.5,
  'total{operation="save_put",status="ok"}': 2,
  'keys_total{operation="save_put",status="ok"}': 8,
  'bytes_total{operation="save_put",status="ok"}': 200,
};

describe('a connector payload is told by its shape', () => {
  it.each([
    ['NIXL', NIXL, NIXL_MOVED],
    ['a Mooncake store', PUT, PUT_MOVED],
    [
      'several connectors',
      { NixlPullConnector: NIXL, MooncakeStoreConnector: PUT },
      { ...NIXL_MOVED, ...PUT_MOVED },
    ],
    [
      'several, wrapped as on the wire',
      { NixlPullConnector: { data: NIXL }, MooncakeStoreConnector: { data: PUT } },
      { ...NIXL_MOVED, ...PUT_MOVED },
    ],
    ['one that is new, by its shape', { SomeNewConnector: { data: NIXL } }, NIXL_MOVED],
    ['one in one', { MultiConnector: { data: { NixlConnector: { data: NIXL } } } }, NIXL_MOVED],
    [
      'one beside an opaque one',
      { OffloadingConnector: { types: ['a'], data: {} }, NixlPushConnector: NIXL },
      NIXL_MOVED,
    ],
    ['nothing', {}, {}],
    ['a store that did nothing', { save_put: [] }, {}],
    [
      'Mooncake transfer',
      { transferDuration: [1], bytesTransferred: [5], numDescriptors: [1], numFailedRecvs: [1] },
      {},
    ],
    ['HF3FS', { readDuration: [1], numOps: 3 }, {}],
    ['offloading', { types: ['cpu'], data: { a: 1 } }, {}],
    ['a mix of store and other lists', { save_put: [operation()], other: [1] }, {}],
    ['a store whose records have no duration', { save_put: [{ numKeys: 4 }] }, {}],
    ['class names in small letters', { nixlPullConnector: NIXL }, {}],
    ['class names beside other keys', { NixlPullConnector: NIXL, count: 5 }, {}],
    ['a list', [NIXL], {}],
  ])('%s', async (_, payload, expected) => {
    const rig = new Rig();
    record(rig, payload);
    expect([await moved(rig), rig.sources()]).toEqual([expected, []]);
  });

  it('however deep a hostile one is', async () => {
    const rig = new Rig();
    let payload: object = NIXL;
    for (let depth = 0; depth < 10_000; depth++) payload = { Multi: payload };
    expect(() => record(rig, payload)).not.toThrow();
    expect([await moved(rig), rig.sources()]).toEqual([{}, []]);
  });
});

describe('NIXL', () => {
  it.each([
    ['bytesTransferred', 'bytes_transferred'],
    ['numDescriptors', 'num_descriptors'],
    ['numFailedTransfers', 'num_failed_transfers'],
    ['numFailedNotifications', 'num_failed_notifications'],
    ['numKvExpiredReqs', 'num_kv_expired_reqs'],
  ])('may miss a list: %s', async (list, family) => {
    for (const absent of [undefined, null]) {
      const rig = new Rig();
      record(rig, { ...NIXL, [list]: absent });
      const kept = Object.entries(NIXL_MOVED).filter(([name]) => !name.startsWith(family));
      expect([await moved(rig), rig.sources()]).toEqual([Object.fromEntries(kept), []]);
    }
  });

  it('counts what a list of another length has', async () => {
    const rig = new Rig();
    record(rig, { ...NIXL, bytesTransferred: [1, 2, 3], numDescriptors: [] });
    const { num_descriptors_count: _, num_descriptors_sum: __, ...rest } = NIXL_MOVED;
    expect(await moved(rig)).toEqual({ ...rest, bytes_transferred_count: 3, bytes_transferred_sum: 6 });
  });

  it.each(Object.keys(NIXL))('takes an invalid element as 0, with a diagnostic: %s', async (list) => {
    const rig = new Rig();
    record(rig, { ...NIXL, [list]: [Number.NaN, '1', -1, 2] });
    expect(rig.sources()).toEqual(Array.from({ length: 3 }, () => `kvConnectorStats.${list}`));
    for (const value of Object.values(await moved(rig))) expect(value).toBeGreaterThan(0);
  });

  it.each(['bytesTransferred', 'numFailedTransfers'])('reports a list that is none: %s', (list) => {
    const rig = new Rig();
    record(rig, { ...NIXL, [list]: 5 });
    expect(rig.sources()).toEqual([`kvConnectorStats.${list}`]);
  });
});

describe('a Mooncake store', () => {
  const operations = ['save_exists', 'save_put', 'load_get', 'lookup_exists'];
  const statuses = ['ok', 'error', 'partial_failure'];

  it.each(operations.flatMap((name) => statuses.map((status) => [name, status])))(
    'has series per operation and status: %s %s',
    async (name, status) => {
      const rig = new Rig();
      record(rig, { [name!]: [operation({ status, numFailedKeys: 2 })] });
      const labels = `{operation="${name}",status="${status}"}`;
      expect(await moved(rig)).toEqual({
        [`time_seconds_count${labels}`]: 1,
        [`time_seconds_sum${labels}`]: 0.5,
        [`total${labels}`]: 1,
        [`keys_total${labels}`]: 4,
        [`bytes_total${labels}`]: 100,
        [`failed_keys_total${labels}`]: 2,
      });
    },
  );

  it('counts unknown operations and statuses under other, and grows no further', async () => {
    const rig = new Rig();
    const flood = Array.from({ length: 300 }, (_, i) => [`op${i}`, [operation({ status: `s${i}` })]]);
    record(rig, Object.fromEntries(flood));
    const size = (await rig.samples()).size;
    expect((await moved(rig))['total{operation="other",status="other"}']).toBe(300);
    expect(rig.sources().filter((source) => source === 'kvConnectorStats.operation')).toHaveLength(300);
    expect(rig.sources().filter((source) => source === 'kvConnectorStats.status')).toHaveLength(300);
    record(rig, { another: [operation({ status: 'x' })] });
    expect((await rig.samples()).size).toBe(size);
  });

  it.each(['constructor', '__proto__', 'toString'])(
    'takes an operation that looks inherited as other: %s',
    async (name) => {
      const rig = new Rig();
      record(rig, JSON.parse(`{"${name}":[{"durationSeconds":1}]}`));
      expect((await moved(rig))['total{operation="other",status="ok"}']).toBe(1);
    },
  );

  it('takes an absent status as ok, and another type as other', async () => {
    const rig = new Rig();
    record(rig, {
      load_get: [{ durationSeconds: 1 }, operation({ status: null }), operation({ status: 5 })],
    });
    const all = await moved(rig);
    expect(all['total{operation="load_get",status="ok"}']).toBe(2);
    expect(all['total{operation="load_get",status="other"}']).toBe(1);
    expect(rig.diagnostics).toMatchObject([{ source: 'kvConnectorStats.status', value: 5 }]);
  });

  it.each(['durationSeconds', 'numKeys', 'numBytes', 'numFailedKeys'])(
    'reports an invalid figure and counts the rest: %s',
    async (field) => {
      const rig = new Rig();
      record(rig, { load_get: [operation({ [field]: -1 })] });
      expect(rig.sources()).toEqual([`kvConnectorStats.${field}`]);
      expect((await moved(rig))['total{operation="load_get",status="ok"}']).toBe(1);
    },
  );
});
