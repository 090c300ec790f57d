import { expect, it } from 'vitest';
import { minimalStandard, request, runFleet } from '../run-fleet.js';

const SERVICE_MS = 10;

function* poissonArrivals(count: number, meanGapMs: number, seed: number) {
  const random = minimalStandard(seed);
  let arrivalTimeMs = 0;
  for (let i = 0; i < count; i++) {
    arrivalTimeMs -= meanGapMs * Math.log(random());
    yield request(`r${i}`, { numPromptTokens: 1, numOutputTokens: 1, arrivalTimeMs });
  }
}

it.each([
  [0.5, 11],
  [0.7, 12],
  [0.8, 13],
])('waits as long as M/D/1 says at a load of %f', (load, seed) => {
  let waited = 0;
  let count = 0;
  runFleet(
    {
      requests: poissonArrivals(150_000, SERVICE_MS / load, seed),
      maxNumSeqs: 1,
      stepTime: { baseMs: SERVICE_MS, perPrefillTokenMs: 0, perDecodeSeqMs: 0 },
    },
    (batch, run) => {
      run.batches.length = 0;
      for (const { events } of batch.outputs) {
        const [queued, scheduled] = events ?? [];
        waited += (scheduled!.timestamp - queued!.timestamp) * 1000;
        count++;
      }
    },
  );
  const expected = (load * SERVICE_MS) / (2 * (1 - load));
  expect(count).toBe(150_000);
  expect(Math.abs(waited / count - expected) / expected).toBeLessThan(0.03);
});
