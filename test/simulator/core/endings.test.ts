import { expect, it } from 'vitest';
import type { SimulatedRequest } from '../../../src/simulator/index.js';
import { fleetOf, outputsOf, request, runFleet } from '../run-fleet.js';

it.each<[string, Partial<SimulatedRequest>, string, number[]]>([
  ['stops by itself without a cap', { numOutputTokens: 3 }, 'stop', [1, 1, 1]],
  ['stops by itself below the cap', { numOutputTokens: 3, maxTokens: 4 }, 'stop', [1, 1, 1]],
  ['is cut at the cap', { numOutputTokens: 5, maxTokens: 2 }, 'length', [1, 1]],
  ['ends in length when it just reaches the cap', { numOutputTokens: 2, maxTokens: 2 }, 'length', [1, 1]],
  ['has one token', { numOutputTokens: 1 }, 'stop', [1]],
  ['repeats itself', { numOutputTokens: 2, finishReason: 'repetition' }, 'repetition', [1, 1]],
  ['fails after its tokens', { numOutputTokens: 2, finishReason: 'error' }, 'error', [1, 1, 0]],
  ['is aborted by the engine', { numOutputTokens: 2, finishReason: 'abort' }, 'abort', [1, 1, 0]],
  ['fills the model length', { numPromptTokens: 28, numOutputTokens: 99 }, 'length', [1, 1, 1, 1]],
  ['has no cap when it is null', { maxTokens: null }, 'stop', [1, 1, 1]],
])('sends one final output when a request %s', (_case, partial, reason, lengths) => {
  const run = runFleet({ requests: [request('r', partial)], numKvBlocks: 4, blockSize: 8 });
  const outputs = outputsOf(run);
  expect(outputs.map(({ newTokenIds }) => newTokenIds.length)).toEqual(lengths);
  expect(outputs.map(({ finishReason }) => finishReason)).toEqual([
    ...new Array(lengths.length - 1).fill(undefined),
    reason,
  ]);
  expect(run.batches.at(-1)?.schedulerStats).toMatchObject({ numRunningReqs: 0, kvCacheUsage: 0 });
});

it('fails about the share of requests that errorRate names, each after a token', () => {
  const requests = Array.from({ length: 2000 }, (_, i) => request(`r${i}`, { numOutputTokens: 4 }));
  const outputs = outputsOf(runFleet({ requests, errorRate: 0.25 }));
  const errors = outputs.filter(({ finishReason }) => finishReason === 'error');
  expect(errors.length).toBeGreaterThan(430);
  expect(errors.length).toBeLessThan(570);
  expect(errors.every(({ newTokenIds, prefillStats }) => newTokenIds.length === 0 && !prefillStats)).toBe(
    true,
  );
});

it.each([
  ['final-output', [['r', 'abort', 0]], []],
  ['finished-requests', [], ['r']],
  ['silent', [], []],
] as const)('answers an abort with %s, and frees the blocks at once', (abortReply, replies, ids) => {
  const run = fleetOf(
    { abortReply, requests: [request('r', { numOutputTokens: 50 })] },
    (batch, { fleet }) => {
      if (batch.outputs[0]?.prefillStats) {
        fleet.abort(0, ['r', 'unknown']);
        expect(fleet.snapshot(0)).toMatchObject({ numRunning: 0, numUsedKvBlocks: 0 });
      }
    },
  );
  run.scheduler.flush();
  const after = run.batches.slice(1);
  const outputs = after.flatMap((batch) => batch.outputs);
  expect(outputs.map((o) => [o.requestId, o.finishReason, o.newTokenIds.length])).toEqual(replies);
  expect(after.flatMap((batch) => batch.finishedRequests ?? [])).toEqual(ids);
  expect(run.batches.length).toBe(2);
  expect(run.batches[1]?.schedulerStats).toMatchObject({ numRunningReqs: 0, kvCacheUsage: 0 });
  expect(run.completed).toBe(true);
});

it('aborts waiting and half-computed requests without counting their prompts', () => {
  const run = fleetOf({ maxNumSeqs: 1, maxNumBatchedTokens: 4 });
  for (const id of ['running', 'waiting', 'last']) run.fleet.submit(request(id));
  run.scheduler.maxFrames = 1;
  run.scheduler.flush();
  run.fleet.abort(0, ['running', 'waiting']);
  run.scheduler.maxFrames = Number.POSITIVE_INFINITY;
  run.scheduler.flush();
  expect(outputsOf(run).map((o) => [o.requestId, o.finishReason, o.prefillStats?.numPromptTokens])).toEqual([
    ['running', 'abort', undefined],
    ['waiting', 'abort', undefined],
    ['last', undefined, 10],
    ['last', undefined, undefined],
    ['last', 'stop', undefined],
  ]);
});
