import { describe, expect, it } from 'vitest';
import { nixl, ofNixl, operations, payload, record } from './connector-payloads.js';
import { expectSamples } from './serve.js';

describe('a MultiConnector', () => {
  it.each([
    ['flat', { NixlConnector: nixl, MooncakeStoreConnector: { load_get: [record] } }],
    [
      'wrapped',
      { NixlPullConnector: { data: nixl }, MooncakeStoreConnector: { data: { load_get: [record] } } },
    ],
    [
      'nested',
      {
        MultiConnector: {
          data: { NixlConnector: { data: nixl }, MooncakeStoreConnector: { load_get: [record] } },
        },
      },
    ],
  ])('is judged by its children: %s', async (_name, stats) => {
    const { page, invalid } = await payload(stats);
    expectSamples(page, ofNixl);
    expect(operations(page)).toEqual({ 'load_get/ok': 1 });
    expect(invalid).toEqual({});
  });

  it('that is nested without end does not exhaust the stack', async () => {
    let nested: unknown = nixl;
    for (let i = 0; i < 50_000; i++) nested = { MultiConnector: nested };
    expect((await payload(nested)).invalid).toEqual({});
  });
});

it.each([
  ['a Mooncake transfer', { transferDuration: [0.1], bytesTransferred: [1], numFailedRecvs: [1] }],
  ['HF3FS', { saveTotal: 3, loadTime: [0.1] }],
  ['an offload', { types: ['a'], data: { a: 1 } }],
  ['an empty map', {}],
  ['a list', [nixl]],
  ['children of which one is no object', { NixlConnector: nixl, OtherConnector: 7 }],
])('ignores what it does not know, without a diagnostic: %s', async (_name, stats) => {
  const { page, invalid } = await payload(stats);
  expectSamples(page, { nixl_xfer_time_seconds: [0, 0] });
  expect([operations(page), invalid]).toEqual([{}, {}]);
});
