import { describe, expect, it } from 'vitest';
import { Rig } from '../../support/rig.js';
import { moved, NIXL, NIXL_MOVED, operation, record } from './connector-payloads.js';

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
    ['one with more beside its data', { OffloadingConnector: { types: ['a'], data: NIXL } }, {}],
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
