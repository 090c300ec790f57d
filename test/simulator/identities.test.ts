import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { EngineCoreOutput, EngineCoreOutputs } from '../../src/engine-core/engine-core-outputs.js';
import type { SimulatedRequest } from '../../src/simulator/index.js';
import { fleetOf, outputsOf } from './run-fleet.js';

const items = fc.array(
  fc.record({
    numPromptTokens: fc.integer({ min: 1, max: 60 }),
    numOutputTokens: fc.integer({ min: 1, max: 50 }),
    gap: fc.integer({ min: 0, max: 2 }),
    /** Aborted by its client after so many outputs. */
    abortAfter: fc.option(fc.integer({ min: 1, max: 10 }), { freq: 4, nil: 0 }),
    loraName: fc.constantFrom(undefined, undefined, 'a', 'b', 'c'),
    finishReason: fc.constantFrom(undefined, undefined, undefined, 'repetition', 'error', 'abort'),
  }),
  { minLength: 1, maxLength: 25, size: 'max' },
);

const options = fc.record({
  seed: fc.integer(),
  numKvBlocks: fc.integer({ min: 14, max: 24 }),
  maxNumBatchedTokens: fc.integer({ min: 8, max: 100 }),
  maxNumSeqs: fc.integer({ min: 2, max: 10 }),
  errorRate: fc.constantFrom(0, 0.1),
  maxLoras: fc.constantFrom(1, 2, 9),
  specDecoding: fc.constantFrom(undefined, { numSpecTokens: 3, acceptanceRate: 0.6 }),
  kvConnector: fc.constantFrom(undefined, { kind: 'multi', hitRate: 0.5, failureRate: 0.3 } as const),
  abortReply: fc.constantFrom('final-output', 'silent', 'finished-requests'),
});

type Item = { numPromptTokens: number; numOutputTokens: number; gap: number; abortAfter: number } & Partial<
  Pick<SimulatedRequest, 'loraName' | 'finishReason'>
>;

function requestsOf(list: readonly Item[]): SimulatedRequest[] {
  let arrivalTimeMs = 0;
  return list.map(({ gap, abortAfter: _, ...rest }, i) => {
    arrivalTimeMs += gap;
    const blockHashes = Array.from(
      { length: Math.floor(rest.numPromptTokens / 8) },
      (_, block) => `${i % 5}/${block}`,
    );
    return { requestId: `r${i}`, ...rest, arrivalTimeMs, blockHashes };
  });
}

/** What a frontend's request task would count of one request. */
function countsOf(outputs: readonly EngineCoreOutput[]) {
  const events = outputs.flatMap((output) => output.events ?? []).map(({ type }) => type);
  return {
    ends: outputs.filter((output) => output.finishReason).length,
    records: outputs.filter((output) => output.prefillStats).length,
    tokens: outputs.reduce((sum, output) => sum + output.newTokenIds.length, 0),
    queued: events.filter((type) => type === 'queued').length,
    scheduled: events.filter((type) => type === 'scheduled').length,
    preempted: events.filter((type) => type === 'preempted').length,
  };
}

it('sends what a frontend needs for its identities to hold, whatever happens', () => {
  let numPreemptions = 0;
  fc.assert(
    fc.property(items, options, (list, option) => {
      const requests = requestsOf(list);
      const seen = new Map<string, number>();
      const run = fleetOf({ requests, blockSize: 8, engines: 2, ...option }, (batch, { fleet }) => {
        for (const { requestId, finishReason } of batch.outputs) {
          seen.set(requestId, (seen.get(requestId) ?? 0) + 1);
          const wanted = seen.get(requestId) === list[Number(requestId.slice(1))]!.abortAfter;
          if (wanted && !finishReason) fleet.abort(batch.engineIndex, [requestId]);
        }
      });
      run.scheduler.flush();
      expect(run.completed).toBe(true);
      let lost = 0;
      for (const request of requests) {
        const outputs = outputsOf(run, request.requestId);
        const counts = countsOf(outputs);
        const isSilent = option.abortReply !== 'final-output' && counts.ends === 0;
        expect(counts.ends).toBe(isSilent ? 0 : 1);
        expect([counts.records, counts.queued]).toEqual([1, 1]);
        expect(outputs[0]?.prefillStats).toBeDefined();
        expect(outputs.slice(0, -1).every((output) => output.newTokenIds.length > 0)).toBe(true);
        expect(counts.tokens).toBeLessThanOrEqual(request.numOutputTokens);
        if (isSilent || outputs.at(-1)?.finishReason === 'abort') lost++;
        else expect(counts.scheduled).toBe(counts.preempted + 1);
      }
      const preemptions = [0, 1].reduce((sum, i) => sum + run.fleet.snapshot(i).numPreemptions, 0);
      const carried = outputsOf(run).flatMap(({ events }) => events ?? []);
      const told = carried.filter(({ type }) => type === 'preempted').length;
      if (lost === 0 || option.abortReply === 'final-output') expect(told).toBe(preemptions);
      else expect(told).toBeLessThanOrEqual(preemptions);
      run.batches.forEach(checkBatch);
      numPreemptions += preemptions;
    }),
    { numRuns: 300 },
  );
  expect(numPreemptions).toBeGreaterThan(50);
});

function checkBatch({ outputs, schedulerStats }: EngineCoreOutputs): void {
  expect(schedulerStats?.kvCacheUsage).toBeGreaterThanOrEqual(0);
  expect(schedulerStats?.kvCacheUsage).toBeLessThanOrEqual(1);
  expect(new Set(outputs.map(({ requestId }) => requestId)).size).toBe(outputs.length);
  for (const { prefillStats } of outputs) {
    if (!prefillStats) continue;
    const { numPromptTokens, numComputedTokens, numCachedTokens } = prefillStats;
    expect(numComputedTokens! + numCachedTokens!).toBe(numPromptTokens);
    expect(numComputedTokens).toBeGreaterThan(0);
    expect(prefillStats.numLocalCachedTokens! + prefillStats.numExternalCachedTokens!).toBe(numCachedTokens);
  }
}
