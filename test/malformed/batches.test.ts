/** Steps with anything in any field, through both operators and the router. */
import fc from 'fast-check';
import { Subject } from 'rxjs';
import { expect, it } from 'vitest';
import {
  type EngineCoreOutputs,
  OutputRouter,
  withRequestMetrics,
  withSchedulerMetrics,
} from '../../src/index.js';
import { engineOutput, schedulerStats } from '../../src/testing/index.js';
import { recording } from '../support/recording.js';
import type { Samples } from '../support/samples.js';
import { corrupt, type Edit, edits } from './corrupt.js';
import { hostile } from './hostile.js';
import { faults } from './invariants.js';

const cache = { requests: 1, queries: 5, hits: 3, hitsBySource: { device: 1, host: 2, moon: 4 } };
const nixl = {
  transferDuration: [0.1, 0.2],
  postDuration: [0.1, 0.2],
  bytesTransferred: [1, 2],
  numDescriptors: [3, 4],
  numFailedTransfers: [0, 1],
  numFailedNotifications: [1],
  numKvExpiredReqs: [1],
};
const store = {
  load_get: [{ durationSeconds: 0.5, numKeys: 1, numBytes: 2, status: 'ok', numFailedKeys: 0 }],
};

/** A full step; `connector` picks the payload. */
function step(connector: number): EngineCoreOutputs {
  const stats = schedulerStats({
    numRunningReqs: 2,
    numWaitingReqs: 3,
    numSkippedWaitingReqs: 1,
    kvCacheUsage: 0.5,
    prefixCacheStats: { ...cache, hitsBySource: undefined },
    connectorPrefixCacheStats: structuredClone(cache),
    kvCacheEvictionEvents: [{ lifetimeSeconds: 1, idleSeconds: 2, reuseGapsSeconds: [3] }],
    specDecodingStats: {
      numDrafts: 1,
      numDraftTokens: 2,
      numAcceptedTokens: 1,
      numAcceptedTokensPerPos: [1, 0],
    },
    perfStats: { numFlopsPerGpu: 1, numReadBytesPerGpu: 2, numWriteBytesPerGpu: 3 },
    kvConnectorStats: structuredClone(
      [nixl, store, { NixlConnector: { data: nixl }, MooncakeStoreConnector: store }][connector]!,
    ),
  });
  const { output } = engineOutput(2, { requestId: 'a' });
  return { engineIndex: 0, timestamp: 1, outputs: [output], schedulerStats: stats, finishedRequests: ['b'] };
}

/** Every path of an object's fields. */
function pathsOf(value: unknown, at = ''): string[] {
  if (typeof value !== 'object' || value === null) return [at];
  const below = Object.entries(value).flatMap(([key, inner]) =>
    pathsOf(inner, at === '' ? key : `${at}.${key}`),
  );
  return at === '' ? below : [at, ...below];
}

const paths = [...new Set([0, 1, 2].flatMap((connector) => pathsOf(step(connector))))].filter(
  (path) => !path.endsWith('newTokenIds.0'),
);
const one = fc.record({
  connector: fc.nat({ max: 2 }),
  changes: fc.option(edits(paths), { nil: [] as Edit[] }),
});

function gaugesDisagree(page: Samples): boolean {
  const [capacity, deferred] = ['capacity', 'deferred'].map(
    (reason) => page.value('num_requests_waiting_by_reason', 0, { reason })!,
  );
  return page.value('num_requests_waiting') !== capacity! + deferred!;
}

it('mirrors any steps and keeps the page whole', async () => {
  const run = fc.asyncProperty(fc.array(one, { minLength: 1, maxLength: 5 }), async (steps) => {
    const recorded = recording({ engines: [0] });
    const before = await recorded.samples();
    const batches = new Subject<EngineCoreOutputs>();
    const router = new OutputRouter();
    const seen: unknown[] = [];
    const recordedBatches = batches.pipe(withSchedulerMetrics(recorded.metrics));
    recordedBatches.subscribe({
      next: (batch) => {
        seen.push(batch);
        router.next(batch);
      },
      error: (error) => seen.push(error),
    });
    router
      .open('a', 0)
      .pipe(withRequestMetrics(recorded.metrics, { numPromptTokens: 3 }))
      .subscribe({ error: () => {} });
    const values = steps.map(({ connector, changes }) => corrupt(step(connector), changes));
    for (const value of values) batches.next(value);
    expect(seen.length).toBe(values.length);
    expect(values.every((value, i) => value === seen[i])).toBe(true);
    router.complete();
    expect(await faults(before, recorded)).toEqual([]);
    const page = await recorded.samples();
    expect(gaugesDisagree(page)).toBe(false);
    expect(Object.values(page.success())).toEqual([1]);
  });
  await fc.assert(run, { numRuns: 300 });
}, 60_000);

it('mirrors values that are no steps at all', async () => {
  const run = fc.asyncProperty(fc.array(hostile, { maxLength: 5 }), async (made) => {
    const values = made.map(({ make }) => make());
    const recorded = recording({ engines: [0] });
    const before = await recorded.samples();
    const batches = new Subject<EngineCoreOutputs>();
    const router = new OutputRouter();
    const seen: unknown[] = [];
    batches.pipe(withSchedulerMetrics(recorded.metrics)).subscribe((batch) => seen.push(batch));
    for (const value of values) {
      batches.next(value as EngineCoreOutputs);
      router.next(value as EngineCoreOutputs);
    }
    expect(values.every((value, i) => Object.is(value, seen[i]))).toBe(true);
    expect(await faults(before, recorded)).toEqual([]);
  });
  await fc.assert(run, { numRuns: 200 });
}, 60_000);
