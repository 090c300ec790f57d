import { describe, expect, it } from 'vitest';
import { Rig } from '../../support/rig.js';
import { moved, NIXL, NIXL_MOVED, operation, record } from './connector-payloads.js';

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
    expect(rig.sources()).toEqual(Array.from({ length: 3 }, () => `${list}`));
    for (const value of Object.values(await moved(rig))) expect(value).toBeGreaterThan(0);
  });

  it.each(['bytesTransferred', 'numFailedTransfers'])('reports a list that is none: %s', (list) => {
    const rig = new Rig();
    record(rig, { ...NIXL, [list]: 5 });
    expect(rig.sources()).toEqual([`${list}`]);
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
    expect(rig.sources().filter((source) => source === 'operation')).toHaveLength(300);
    expect(rig.sources().filter((source) => source === 'status')).toHaveLength(300);
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
    expect(rig.diagnostics).toMatchObject([{ source: 'status', value: 5 }]);
  });

  it.each(['durationSeconds', 'numKeys', 'numBytes', 'numFailedKeys'])(
    'reports an invalid figure and counts the rest: %s',
    async (field) => {
      const rig = new Rig();
      record(rig, { load_get: [operation({ [field]: -1 })] });
      expect(rig.sources()).toEqual([`${field}`]);
      expect((await moved(rig))['total{operation="load_get",status="ok"}']).toBe(1);
    },
  );
});
