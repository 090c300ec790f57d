import fc from 'fast-check';
import { expect, it } from 'vitest';
import { RequestSupply } from '../../../src/demo/run/request-supply.js';
import { keptTrace, type Trace, type TraceRequest } from '../../../src/demo/trace/trace.js';
import { finishedReplay, samplesOf, smallTrace } from '../run-replay.js';

function requestAt(arrivalTimeMs: number): TraceRequest {
  return { arrivalTimeMs, numPromptTokens: 1, numOutputTokens: 1 };
}

/** The trace in pieces of `sizes` requests, in turn. */
function cut(trace: Trace, requests: readonly TraceRequest[], sizes: readonly number[]): Trace {
  return {
    ...trace,
    async *batches() {
      for (let at = 0, turn = 0; at < requests.length; turn++) {
        const size = sizes[turn % sizes.length]!;
        yield requests.slice(at, at + size);
        at += size;
      }
    },
  };
}

const arrivals = fc
  .array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 40 })
  .map((gaps) => gaps.map((_, i) => gaps.slice(0, i + 1).reduce((sum, gap) => sum + gap, 0)));
const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 });

it('lets the clock run only where every arrival, and the first one after it, is here', async () => {
  await fc.assert(
    fc.asyncProperty(arrivals, sizes, async (times, pieces) => {
      const requests = times.map(requestAt);
      const supply = new RequestSupply(cut(keptTrace('azure', 16, requests), requests, pieces));
      await supply.fill(0);
      const iterator = supply[Symbol.iterator]();
      const taken: number[] = [];
      let next = iterator.next();
      for (let now = 0; next.done !== true; now = Math.min(supply.horizonMs, now + 2)) {
        await supply.fill(now);
        expect(supply.horizonMs).toBeGreaterThan(now);
        while (next.done !== true && next.value.arrivalTimeMs <= now) {
          taken.push(next.value.arrivalTimeMs);
          next = iterator.next();
        }
      }
      expect(taken).toEqual(times);
    }),
  );
});

it('says so when the clock ran ahead all the same', async () => {
  const requests = [requestAt(0), requestAt(1), requestAt(2)];
  const supply = new RequestSupply(cut(keptTrace('azure', 16, requests), requests, [2]));
  await supply.fill(-1);
  const read = () => [...supply];
  expect(read).toThrow('the clock ran past the horizon');
});

it.each([[[1]], [[7, 1, 30]], [[119]]])(
  'gives the same page of a trace that comes in pieces of %j',
  async (pieces) => {
    const whole = smallTrace();
    const requests: TraceRequest[] = [];
    for await (const batch of whole.batches()) requests.push(...batch);
    const page = await samplesOf(await finishedReplay());
    const replay = await finishedReplay({}, cut(whole, requests, pieces));
    expect(await samplesOf(replay)).toEqual(page);
  },
);
