import { expect, it } from 'vitest';
import { minimalStandard, outputsOf, request, runFleet } from '../run-fleet.js';

/** Milliseconds that say how many tokens and sequences a step had. */
const TELLING = { baseMs: 1000, perPrefillTokenMs: 1, perDecodeSeqMs: 0.001 };

function mixedRequests(count: number, seed: number) {
  const random = minimalStandard(seed);
  let arrivalTimeMs = 0;
  return Array.from({ length: count }, (_, i) => {
    arrivalTimeMs += random() * 40;
    const numPromptTokens = 1 + Math.floor(random() * 300);
    return request(`r${i}`, {
      numPromptTokens,
      numOutputTokens: 1 + Math.floor(random() * 50),
      arrivalTimeMs,
    });
  });
}

it('keeps every step within the token budget, and uses it', () => {
  const run = runFleet({ requests: mixedRequests(60, 5), maxNumBatchedTokens: 128, stepTime: TELLING });
  const durations = run.batches
    .slice(1)
    .map((batch, i) => (batch.timestamp - run.batches[i]!.timestamp) * 1000);
  const tokens = durations.map((ms) => {
    const prefill = Math.floor(ms - 1000 + 1e-6);
    return prefill + Math.round((ms - 1000 - prefill) * 1000);
  });
  // Arrivals end within two steps, so no gap between batches is idle time.
  expect(Math.max(...tokens)).toBe(128);
});

it('splits a prompt over steps that send stats alone', () => {
  const requests = [request('long', { numPromptTokens: 250, numOutputTokens: 2 })];
  const run = runFleet({ requests, maxNumBatchedTokens: 100 });
  expect(run.batches.map((batch) => batch.outputs.length)).toEqual([0, 0, 1, 1]);
  expect(run.batches.map((batch) => batch.schedulerStats?.numRunningReqs)).toEqual([1, 1, 1, 0]);
  expect(run.batches[0]?.schedulerStats?.kvCacheUsage).toBeGreaterThan(0);
});

it('lets a prompt wait that does not fit without chunked prefill', () => {
  const requests = ['a', 'b'].map((id) => request(id, { numPromptTokens: 60 }));
  const options = { requests, chunkedPrefill: false, maxNumBatchedTokens: 100, maxModelLen: 100 };
  const first = runFleet(options).batches[0];
  expect(first?.outputs.map(({ requestId }) => requestId)).toEqual(['a']);
  expect(first?.schedulerStats).toMatchObject({ numRunningReqs: 1, numWaitingReqs: 1 });
});

it('runs no more sequences than allowed, in order of arrival', () => {
  const requests = Array.from({ length: 6 }, (_, i) => request(`r${i}`));
  const run = runFleet({ requests, maxNumSeqs: 2 });
  expect(run.batches.every((batch) => batch.outputs.length <= 2)).toBe(true);
  const first = outputsOf(run).filter(({ prefillStats }) => prefillStats);
  expect(first.map(({ requestId }) => requestId)).toEqual(requests.map(({ requestId }) => requestId));
});

it('takes base, prefill tokens and decoding sequences into a step', () => {
  const requests = [request('r', { numPromptTokens: 20, numOutputTokens: 2 })];
  const run = runFleet({ requests, stepTime: { baseMs: 5, perPrefillTokenMs: 0.5, perDecodeSeqMs: 2 } });
  const start = outputsOf(run)[0]!.events![1]!.timestamp;
  const [first, second] = run.batches.map(({ timestamp }) => timestamp - start);
  expect(first).toBeCloseTo(0.015, 9);
  expect(second).toBeCloseTo(0.022, 9);
});

it('jitters steps around their mean', () => {
  const requests = [request('r', { numOutputTokens: 5000 })];
  const run = runFleet({ requests, stepTime: { baseMs: 10, perDecodeSeqMs: 0, jitter: 0.5 } });
  const gaps = run.batches.slice(1).map((batch, i) => (batch.timestamp - run.batches[i]!.timestamp) * 1000);
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(4.999);
  expect(Math.max(...gaps)).toBeLessThanOrEqual(15.001);
  expect(gaps.reduce((a, b) => a + b, 0) / gaps.length).toBeCloseTo(10, 0);
});

it.each([1, 2, 3])('sends the same batches for the same seed (%d), others for another', (seed) => {
  const options = (value: number) => ({
    requests: mixedRequests(80, 7),
    seed: value,
    engines: 2,
    errorRate: 0.2,
    numKvBlocks: 40,
    stepTime: { jitter: 0.3 },
    specDecoding: { numSpecTokens: 2, acceptanceRate: 0.6 },
    kvConnector: { kind: 'multi', hitRate: 0.3, failureRate: 0.2 } as const,
  });
  const batches = runFleet(options(seed)).batches;
  expect(runFleet(options(seed)).batches).toEqual(batches);
  expect(runFleet(options(seed + 10)).batches).not.toEqual(batches);
});
