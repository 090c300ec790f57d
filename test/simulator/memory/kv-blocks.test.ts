import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { EngineSnapshot, SimulatedRequest } from '../../../src/simulator/index.js';
import { outputsOf, request, runFleet } from '../run-fleet.js';

const workload = fc.array(
  fc.record({
    numPromptTokens: fc.integer({ min: 1, max: 60 }),
    numOutputTokens: fc.integer({ min: 1, max: 60 }),
    gap: fc.integer({ min: 0, max: 20 }),
    hashed: fc.boolean(),
    aborted: fc.boolean(),
  }),
  { minLength: 1, maxLength: 30, size: 'max' },
);

it('never uses more KV blocks than there are, and frees them all', () => {
  let numPreemptions = 0;
  fc.assert(
    fc.property(workload, fc.integer(), fc.integer({ min: 15, max: 40 }), (items, seed, numKvBlocks) => {
      let arrivalTimeMs = 0;
      const requests = items.map(({ gap, hashed, ...sizes }, i): SimulatedRequest => {
        arrivalTimeMs += gap;
        const numHashes = Math.floor(sizes.numPromptTokens / 8);
        const blockHashes = hashed ? Array.from({ length: numHashes }, (_, block) => block) : undefined;
        return { requestId: `r${i}`, ...sizes, blockHashes, arrivalTimeMs };
      });
      const snapshots: EngineSnapshot[] = [];
      const options = { requests, seed, numKvBlocks, blockSize: 8, maxNumBatchedTokens: 32 };
      const run = runFleet(options, (batch, { fleet }) => {
        for (const { requestId } of batch.outputs)
          if (items[Number(requestId.slice(1))]!.aborted) fleet.abort(0, [requestId]);
        snapshots.push(fleet.snapshot(0));
      });
      for (const { numUsedKvBlocks, numCachedKvBlocks } of snapshots) {
        expect(numUsedKvBlocks).toBeGreaterThanOrEqual(0);
        expect(numUsedKvBlocks + numCachedKvBlocks).toBeLessThanOrEqual(numKvBlocks);
      }
      numPreemptions += run.fleet.snapshot(0).numPreemptions;
      expect(run.completed).toBe(true);
      expect(run.fleet.snapshot(0).numUsedKvBlocks).toBe(0);
      expect(outputsOf(run).filter((output) => output.finishReason).length).toBe(items.length);
    }),
    { numRuns: 150 },
  );
  expect(numPreemptions).toBeGreaterThan(50);
});

it('uses the blocks that a count over the running requests gives', () => {
  const sizes = new Map<string, number>();
  const requests = Array.from({ length: 40 }, (_, i) =>
    request(`r${i}`, { numPromptTokens: 5 + i, numOutputTokens: 1 + 2 * i, arrivalTimeMs: i * 7 }),
  );
  for (const { requestId, numPromptTokens } of requests) sizes.set(requestId, numPromptTokens);
  const running = new Map<string, number>();
  let checked = 0;
  runFleet({ requests, numKvBlocks: 4000, blockSize: 16 }, (batch) => {
    for (const { requestId, finishReason } of batch.outputs) {
      if (finishReason) running.delete(requestId);
      else running.set(requestId, (running.get(requestId) ?? sizes.get(requestId)! - 1) + 1);
    }
    // The last sampled token is not computed yet, so it has no room.
    const expected = [...running.values()].reduce((sum, tokens) => sum + Math.ceil(tokens / 16), 0);
    expect(Math.round(batch.schedulerStats!.kvCacheUsage! * 4000)).toBe(expected);
    checked++;
  });
  expect(checked).toBeGreaterThan(60);
});

it('preempts once the pool is halved', () => {
  const requests = Array.from({ length: 8 }, (_, i) =>
    request(`r${i}`, { numPromptTokens: 64, numOutputTokens: 64 }),
  );
  const withBlocks = (numKvBlocks: number) =>
    runFleet({ requests, numKvBlocks, blockSize: 16 }).fleet.snapshot(0).numPreemptions;
  expect(withBlocks(64)).toBe(0);
  expect(withBlocks(32)).toBeGreaterThan(0);
});

it('preempts the youngest, which is computed anew and goes on where it was', () => {
  const requests = ['old', 'young'].map((id) => request(id, { numPromptTokens: 16, numOutputTokens: 20 }));
  const run = runFleet({ requests, numKvBlocks: 5, blockSize: 8, maxModelLen: 40 });
  const preempted = (id: string) =>
    outputsOf(run, id)
      .flatMap(({ events }) => events ?? [])
      .filter(({ type }) => type === 'preempted').length;
  expect([preempted('old'), preempted('young')]).toEqual([0, 1]);
  for (const id of ['old', 'young'])
    expect(outputsOf(run, id).reduce((sum, { newTokenIds }) => sum + newTokenIds.length, 0)).toBe(20);
});

it('puts a preempted request ahead of those that wait', () => {
  const requests = ['old', 'young', 'third'].map((id) =>
    request(id, { numPromptTokens: 16, numOutputTokens: 20 }),
  );
  const run = runFleet({ requests, numKvBlocks: 5, blockSize: 8, maxNumSeqs: 2 });
  const outputs = outputsOf(run);
  const resumed = outputs.findIndex(({ events }) => events?.some(({ type }) => type === 'preempted'));
  expect(outputs[resumed]?.requestId).toBe('young');
  expect(resumed).toBeLessThan(outputs.findIndex(({ requestId }) => requestId === 'third'));
});
