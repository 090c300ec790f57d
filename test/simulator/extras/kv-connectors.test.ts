import { expect, it } from 'vitest';
import type { KVConnectorOptions } from '../../../src/simulator/index.js';
import { outputsOf, type Run, request, runFleet, total } from '../run-fleet.js';

const NIXL_KEYS = [
  'transferDuration',
  'postDuration',
  'bytesTransferred',
  'numDescriptors',
  'numFailedTransfers',
  'numFailedNotifications',
  'numKvExpiredReqs',
];

function connect(kvConnector: KVConnectorOptions, count = 40): Run {
  const requests = Array.from({ length: count }, (_, i) => request(`r${i}`, { numPromptTokens: 100 + i }));
  return runFleet({ requests, kvConnector });
}

type Payload = Readonly<Record<string, unknown>>;

function payloads(run: Run): Payload[] {
  return run.batches.map(({ schedulerStats }) => schedulerStats?.kvConnectorStats ?? {}).filter(hasKeys);
}

function hasKeys(part: Payload): boolean {
  return Object.keys(part).length > 0;
}

/** Everything that one list, or one operation, said in a run. */
function joined<T>(parts: readonly Payload[], key: string): T[] {
  return parts.flatMap((part) => (part[key] as T[] | undefined) ?? []);
}

it('sends NIXL transfers as seven lists, one entry a hit', () => {
  const run = connect({ kind: 'nixl', hitRate: 0.5, bytesPerToken: 10 });
  const parts = payloads(run);
  for (const part of parts) expect(Object.keys(part)).toEqual(NIXL_KEYS);
  const records = outputsOf(run).flatMap(({ prefillStats }) => prefillStats ?? []);
  const external = records.filter(({ numExternalCachedTokens }) => numExternalCachedTokens! > 0);
  expect(external.length).toBeGreaterThan(10);
  expect(external.length).toBeLessThan(30);
  for (const key of NIXL_KEYS.slice(0, 4)) expect(joined(parts, key).length).toBe(external.length);
  expect(joined(parts, 'numFailedTransfers')).toEqual([]);
  expect(joined<number>(parts, 'bytesTransferred')).toEqual(
    external.map(({ numExternalCachedTokens }) => numExternalCachedTokens! * 10),
  );
});

it('computes here what failed to come over', () => {
  const run = connect({ kind: 'nixl', hitRate: 1, failureRate: 1 });
  const parts = payloads(run);
  expect(joined(parts, 'numFailedTransfers').length).toBe(40);
  expect(joined(parts, 'numKvExpiredReqs').length).toBe(40);
  expect(joined(parts, 'transferDuration')).toEqual([]);
  const records = outputsOf(run).flatMap(({ prefillStats }) => prefillStats ?? []);
  expect(records.every(({ numCachedTokens }) => numCachedTokens === 0)).toBe(true);
});

it('computes here what the store failed to give', () => {
  const run = connect({ kind: 'mooncake-store', hitRate: 1, failureRate: 1 });
  expect(joined(payloads(run), 'load_get').length).toBe(40);
  const records = outputsOf(run).flatMap(({ prefillStats }) => prefillStats ?? []);
  expect(records.map(({ numExternalCachedTokens }) => numExternalCachedTokens)).toEqual(
    new Array(40).fill(0),
  );
});

it.each([
  ['nixl', 0],
  ['mooncake-store', 15],
] as const)('finds a preempted prompt again by its kind (%s)', (kind, hits) => {
  const requests = ['old', 'young'].map((id) => request(id, { numPromptTokens: 16, numOutputTokens: 20 }));
  const run = runFleet({ requests, numKvBlocks: 5, blockSize: 8, kvConnector: { kind, hitRate: 1 } });
  const sum = (key: 'hits' | 'preemptedHits' | 'preemptedRequests') =>
    total(run, (batch) => batch.schedulerStats?.connectorPrefixCacheStats?.[key]);
  expect([sum('hits'), sum('preemptedRequests'), sum('preemptedHits')]).toEqual([30, 1, hits]);
});

it('leaves one token to compute, and counts external look-ups apart from local ones', () => {
  const run = connect({ kind: 'nixl', hitRate: 1, source: 'disk' }, 3);
  const records = outputsOf(run).flatMap(({ prefillStats }) => prefillStats ?? []);
  expect(
    records.map((r) => [r.numComputedTokens, r.numLocalCachedTokens, r.numExternalCachedTokens]),
  ).toEqual([
    [1, 0, 99],
    [1, 0, 100],
    [1, 0, 101],
  ]);
  const stats = run.batches[0]!.schedulerStats!;
  expect(stats.prefixCacheStats).toMatchObject({ requests: 3, queries: 303, hits: 0 });
  expect(stats.connectorPrefixCacheStats).toMatchObject({ requests: 3, queries: 303, hits: 300 });
  expect(stats.connectorPrefixCacheStats?.hitsBySource).toEqual({ disk: 300 });
});

it('sends Mooncake operations as lists of records', () => {
  const parts = payloads(connect({ kind: 'mooncake-store', hitRate: 0.5, failureRate: 0.5 }, 200));
  const operations = ['save_exists', 'save_put', 'load_get', 'lookup_exists'];
  expect(new Set(parts.flatMap((part) => Object.keys(part)))).toEqual(new Set(operations));
  expect(joined(parts, 'lookup_exists').length).toBe(200);
  const records = operations.flatMap((operation) => joined<Record<string, unknown>>(parts, operation));
  for (const record of records) {
    expect(Object.keys(record)).toEqual([
      'durationSeconds',
      'numKeys',
      'numBytes',
      'status',
      'numFailedKeys',
    ]);
    const [failed, keys] = [record['numFailedKeys'] as number, record['numKeys'] as number];
    expect(record['status']).toBe(failed === 0 ? 'ok' : failed < keys ? 'partial_failure' : 'error');
    expect(record['durationSeconds']).toBeGreaterThan(0);
  }
  const statuses = new Set(records.map((record) => record['status']));
  expect(statuses).toEqual(new Set(['ok', 'error', 'partial_failure']));
});

it('wraps the children of a multi connector by class name', () => {
  const parts = payloads(connect({ kind: 'multi', hitRate: 1 }));
  const children = (name: string) =>
    parts.map((part) => (part[name] as { data: Payload } | undefined)?.data ?? {}).filter(hasKeys);
  expect(new Set(parts.flatMap((part) => Object.keys(part)))).toEqual(
    new Set(['NixlPullConnector', 'MooncakeStoreConnector']),
  );
  expect(Object.keys(children('NixlPullConnector')[0]!)).toEqual(NIXL_KEYS);
  const loads = joined(children('NixlPullConnector'), 'transferDuration').length;
  expect(loads + joined(children('MooncakeStoreConnector'), 'load_get').length).toBe(40);
});

it('sends nothing of a connector without one', () => {
  const run = runFleet({ requests: [request('r')] });
  expect(payloads(run)).toEqual([]);
  expect(run.batches[0]?.schedulerStats?.connectorPrefixCacheStats).toBeUndefined();
  expect(total(run, (batch) => batch.schedulerStats?.connectorPrefixCacheStats?.queries)).toBe(0);
});
