/** Figures of a step that are not what they should be: what is recorded in their place, and what is said of them. */
import { VirtualTimeScheduler } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { type StatsLogEntry, statsLog } from '../../../src/index.js';
import { Rig } from '../../support/rig.js';
import { stats } from './odd-stats.js';

const said = (rig: Rig) => rig.diagnostics.map(({ source, message }) => `${source}: ${message}`);

describe('a diagnostic', () => {
  const LOST = 'expected one of waiting_to_start, in_progress, completed_waiting, ignored it';
  const ROWS: readonly (readonly [message: string, partial: object])[] = [
    ['numDrafts: expected a count, added 0', { specDecodingStats: { numDrafts: -1 } }],
    ['numSpecTokens: expected a whole number, ignored it', { specDecodingStats: { numSpecTokens: 1.5 } }],
    ['numSpecTokens: expected a whole number, ignored it', { specDecodingStats: { numSpecTokens: -1.5 } }],
    ['numSpecTokens: expected a whole number, ignored it', { specDecodingStats: { numSpecTokens: 'x' } }],
    ['numSpecTokens: expected at most 256, took that', { specDecodingStats: { numSpecTokens: 257 } }],
    [
      'lifetimeSeconds: expected a figure of at least 0, took 0',
      { kvCacheEvictionEvents: [{ lifetimeSeconds: -1 }] },
    ],
    ['numKvFetchReqsByStage: expected an object, ignored it', { numKvFetchReqsByStage: 5 }],
    [`numKvFetchReqsByStage: ${LOST}`, { numKvFetchReqsByStage: { lost: 1 } }],
    ...['waiting_to_start', 'in_progress', 'completed_waiting'].map(
      (stage) =>
        [
          'numKvFetchReqsByStage: expected a count, kept the last one',
          { numKvFetchReqsByStage: { [stage]: -1 } },
        ] as const,
    ),
    [
      'numNotificationsAfterExpiry: expected a count, added 0',
      { kvConnectorStats: { transferDuration: [1], postDuration: [1], numNotificationsAfterExpiry: [-1] } },
    ],
  ];

  it.each(ROWS)('says "%s" of %j', (message, partial) => {
    const rig = new Rig();
    rig.stats(stats(partial));
    expect(said(rig)).toEqual([message]);
  });
});

describe('the number of draft tokens', () => {
  it.each([
    [undefined, 0, 0],
    [null, 0, 0],
    [0, 0, 0],
    [1, 1, 0],
    [256, 256, 0],
    [257, 256, 1],
    [1.5, 0, 1],
    [-1, 0, 1],
    ['1', 0, 1],
  ])('of %s makes %i positions, and %i diagnostics', (numSpecTokens, positions, diagnostics) => {
    const rig = new Rig();
    rig.stats(stats({ specDecodingStats: { numDrafts: 1, numSpecTokens } }));
    expect(rig.metrics.forEngine(0).specDecodeNumAcceptedTokensPerPos).toHaveLength(positions);
    expect(rig.diagnostics).toHaveLength(diagnostics);
  });
});

describe('requests by KV fetch stage', () => {
  const shown = async (rig: Rig) =>
    Promise.all(
      ['waiting_to_start', 'in_progress', 'completed_waiting'].map((stage) =>
        rig.value('vllm:num_requests_kv_fetch_by_stage', 0, `stage="${stage}"`),
      ),
    );

  it.each([
    ['are 0 without a map', undefined, [0, 0, 0]],
    ['are 0 with null', null, [0, 0, 0]],
    ['are 0 with an empty map', {}, [0, 0, 0]],
    ['stay with anything else', 'x', [1, 2, 3]],
    ['stay one by one', { waiting_to_start: -1, in_progress: 5 }, [1, 5, 0]],
  ])('%s', async (_, numKvFetchReqsByStage, expected) => {
    const rig = new Rig();
    const before = { waiting_to_start: 1, in_progress: 2, completed_waiting: 3 };
    rig.stats(stats({ numRunningReqs: 1, numKvFetchReqsByStage: before }));
    rig.stats(stats({ numRunningReqs: 1, numKvFetchReqsByStage }));
    expect(await shown(rig)).toEqual(expected);
  });
});

describe('requests by state', () => {
  const shown = async (rig: Rig) => [
    await rig.value('vllm:num_requests_running'),
    await rig.value('vllm:num_requests_waiting_by_reason', 0, 'reason="capacity"'),
    await rig.value('vllm:num_requests_waiting_by_reason', 0, 'reason="deferred"'),
    await rig.value('vllm:num_requests_waiting'),
  ];

  it.each([
    ['running', { numRunningReqs: -1 }, [1, 20, 30, 50]],
    ['waiting', { numWaitingReqs: -1 }, [10, 2, 30, 32]],
    ['skipped', { numSkippedWaitingReqs: -1 }, [10, 20, 3, 23]],
    ['no', {}, [10, 20, 30, 50]],
  ])('keep the last figure for an invalid one, and the sum is of what is shown: %s', async (_, odd, all) => {
    const rig = new Rig();
    rig.stats(stats({ numRunningReqs: 1, numWaitingReqs: 2, numSkippedWaitingReqs: 3 }));
    rig.stats(stats({ numRunningReqs: 10, numWaitingReqs: 20, numSkippedWaitingReqs: 30, ...odd }));
    expect(await shown(rig)).toEqual(all);
  });
});

describe.each([
  ['prefixCacheStats', 'prefixCacheHitRate'],
  ['connectorPrefixCacheStats', 'externalPrefixCacheHitRate'],
] as const)('the hit rate of %s', (struct, figure) => {
  it.each([
    [undefined, 0.5],
    [false, 0.5],
    [true, 0],
    [1, 0.5], // anything but true is no reset
  ])('with reset %s is %d: of what came since the last one', (reset, expected) => {
    const rig = new Rig();
    const scheduler = new VirtualTimeScheduler(undefined, 1000);
    const entries: StatsLogEntry[] = [];
    statsLog(rig.metrics, { every: 1000, scheduler }).subscribe((entry) => entries.push(entry));
    rig.stats(stats({ numRunningReqs: 1, [struct]: { queries: 10, hits: 10 } }));
    rig.stats(stats({ numRunningReqs: 1, [struct]: { queries: 10, hits: 0, reset } }));
    scheduler.flush();
    expect(entries[0]?.stats[figure]).toBe(expected);
  });
});
