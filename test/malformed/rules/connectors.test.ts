/** The rules for connectors' payloads, one row each. */
import { describe, expect, it } from 'vitest';
import { nixl, ofNixl, operations, payload, record } from './connector-payloads.js';
import { expectSamples } from './serve.js';

describe('NIXL', () => {
  it('has seven families', async () => {
    expectSamples((await payload(nixl)).page, ofNixl);
  });

  it('is known by its two durations; any other list may be missing or of another length', async () => {
    const { page, invalid } = await payload({
      transferDuration: [0.5],
      postDuration: [],
      bytesTransferred: [1, 2, 3],
    });
    expectSamples(page, {
      nixl_xfer_time_seconds: [1, 0.5],
      nixl_post_time_seconds: [0, 0],
      nixl_bytes_transferred: [3, 6],
      nixl_num_kv_expired_reqs_total: 0,
    });
    expect(invalid).toEqual({});
  });

  it('takes unusable figures as 0, with diagnostics', async () => {
    const { page, invalid } = await payload({
      ...nixl,
      transferDuration: [-1, Number.NaN, 0.5],
      bytesTransferred: 'many',
      numKvExpiredReqs: [-2, 4],
    });
    expectSamples(page, {
      nixl_xfer_time_seconds: [3, 0.5],
      nixl_bytes_transferred: [0, 0],
      nixl_num_kv_expired_reqs_total: 4,
    });
    expect(invalid).toEqual({
      transferDuration: 2,
      bytesTransferred: 1,
      numKvExpiredReqs: 1,
    });
  });
});

describe('a Mooncake store', () => {
  it('has the series of an operation and a status from their first use', async () => {
    const { page, invalid } = await payload({
      load_get: [record, { ...record, status: 'error' }],
      save_put: [record],
    });
    expect(operations(page)).toEqual({ 'load_get/ok': 1, 'load_get/error': 1, 'save_put/ok': 1 });
    expect(
      page.value('mooncake_store_operation_bytes_total', 0, { operation: 'load_get', status: 'ok' }),
    ).toBe(1024);
    expect(invalid).toEqual({});
  });

  it('counts unknown operations and statuses under other, with diagnostics', async () => {
    const { page, invalid } = await payload({
      teleport: [record, { ...record, status: 'lost' }],
      load_get: [{ ...record, status: 7 }],
    });
    expect(operations(page)).toEqual({ 'other/ok': 1, 'other/other': 1, 'load_get/other': 1 });
    expect(invalid).toEqual({ operation: 2, status: 2 });
  });

  it('takes names of Object.prototype for unknown ones', async () => {
    const names = JSON.parse(
      `{"__proto__": [${JSON.stringify(record)}], "constructor": [${JSON.stringify(record)}], "toString": [${JSON.stringify({ ...record, status: '__proto__' })}]}`,
    );
    const { page } = await payload(names);
    expect(operations(page)).toEqual({ 'other/ok': 2, 'other/other': 1 });
  });

  it('cannot be made to grow the page by a flood of names', async () => {
    const flood = Object.fromEntries(
      Array.from({ length: 2000 }, (_, i) => [`operation_${i}`, [{ ...record, status: `status_${i}` }]]),
    );
    const { page, invalid } = await payload(flood);
    expect(operations(page)).toEqual({ 'other/other': 2000 });
    expect(invalid).toEqual({ operation: 2000, status: 2000 });
  });

  it('takes unusable figures as 0', async () => {
    const { page, invalid } = await payload({
      load_get: [{ durationSeconds: -1, numKeys: 'x', numBytes: Number.NaN, numFailedKeys: -1 }],
    });
    expect(operations(page)).toEqual({ 'load_get/ok': 1 });
    expect(Object.keys(invalid).sort()).toEqual(
      ['durationSeconds', 'numBytes', 'numFailedKeys', 'numKeys'].map((field) => `${field}`),
    );
  });
});
