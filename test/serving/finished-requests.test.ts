import { describe, expect, it } from 'vitest';
import type { FinishedRequestStats } from '../../src/index.js';
import { Rig } from './rig.js';

function watched(rig: Rig): FinishedRequestStats[] {
  const seen: FinishedRequestStats[] = [];
  rig.metrics.finishedRequests.subscribe((stats) => seen.push(stats));
  return seen;
}

describe('finishedRequests', () => {
  it("has vLLM's names, durations in seconds, by the clock each belongs to", () => {
    const rig = new Rig();
    const seen = watched(rig);
    const request = {
      requestId: 'r',
      engineIndex: 2,
      numPromptTokens: 10,
      maxTokens: 5,
      n: 1,
      loraName: 'a',
    };
    const live = rig.request(request);
    rig.nowMs += 1500;
    live.output(1, {
      timestamp: 102,
      prefillStats: {
        numPromptTokens: 10,
        numComputedTokens: 4,
        numLocalCachedTokens: 5,
        numExternalCachedTokens: 1,
      },
      events: [
        { type: 'queued', timestamp: 100 },
        { type: 'scheduled', timestamp: 101.5 },
        { type: 'preempted', timestamp: 101.6 },
      ],
    });
    rig.nowMs += 500;
    live.output(2, { timestamp: 103 }).output(2, { timestamp: 106, finishReason: 'length' });
    expect(seen).toEqual([
      {
        ...{ requestId: 'r', modelName: 'm', engineIndex: 2, finishReason: 'length', loraName: 'a' },
        ...{ numPromptTokens: 10, numCachedTokens: 6, numGenerationTokens: 5, numPreemptions: 1 },
        ...{ maxTokens: 5, n: 1, timeToFirstToken: 1.5, e2eLatency: 2, queuedTime: 1.5, prefillTime: 0.5 },
        ...{ decodeTime: 4, inferenceTime: 4.5, meanTimePerOutputToken: 1 },
      },
    ]);
  });

  it('leaves out what a request has not, and takes a missing duration as 0', () => {
    for (const unknownIntervals of ['zero', 'omit'] as const) {
      const rig = new Rig({ unknownIntervals });
      const seen = watched(rig);
      rig.request().abort();
      expect(seen).toEqual([
        {
          ...{
            modelName: 'm',
            engineIndex: 0,
            finishReason: 'abort',
            numPromptTokens: 4,
            numCachedTokens: 0,
          },
          ...{
            numGenerationTokens: 0,
            numPreemptions: 0,
            n: 1,
            e2eLatency: 0,
            queuedTime: 0,
            prefillTime: 0,
          },
          ...{ decodeTime: 0, inferenceTime: 0, meanTimePerOutputToken: 0 },
        },
      ]);
    }
  });

  it.each([
    ['a finish reason', (rig: Rig) => rig.request().output(1, { finishReason: 'repetition' }), 'repetition'],
    [
      'an unknown finish reason',
      (rig: Rig) => rig.request().output(1, { finishReason: 'eos' as never }),
      'error',
    ],
    ['a source error', (rig: Rig) => rig.request().source.error(new Error('e')), 'error'],
    ['completion', (rig: Rig) => rig.request().source.complete(), 'abort'],
    ['unsubscribe', (rig: Rig) => rig.request().abort(), 'abort'],
    [
      'unsubscribe with a reason',
      (rig: Rig) => rig.request({ unsubscribeReason: () => 'stop' }).abort(),
      'stop',
    ],
  ] as const)('tells the reason of %s', (_, end, reason) => {
    const rig = new Rig();
    const seen = watched(rig);
    end(rig);
    expect(seen.map(({ finishReason }) => finishReason)).toEqual([reason]);
  });

  it('comes once per request, in the order of their ends, over all engines', () => {
    const rig = new Rig();
    const seen = watched(rig);
    const live = ['a', 'b', 'c', 'd'].map((requestId, engineIndex) =>
      rig.request({ requestId, engineIndex }),
    );
    live[2]!.finish();
    live[0]!.abort();
    live[3]!.source.complete();
    live[1]!.source.error('e');
    for (const request of live) request.abort();
    expect(seen.map(({ requestId }) => requestId)).toEqual(['c', 'a', 'd', 'b']);
    expect(seen.map(({ engineIndex }) => engineIndex)).toEqual([2, 0, 3, 1]);
  });

  it('comes when the record is made, before the value goes on', () => {
    const rig = new Rig();
    const order: string[] = [];
    rig.metrics.finishedRequests.subscribe(({ finishReason }) => order.push(finishReason));
    const live = rig.request();
    live.onSeen = (text) => order.push(text);
    live.finish();
    expect(order).toEqual(['stop', 'next 1', 'complete']);
  });

  it("says of a parent's children how many they are", () => {
    const rig = new Rig();
    const seen = watched(rig);
    const parent = rig.metrics.parallelSampling(3);
    rig.request({ parent, n: 7 }).finish();
    expect(seen[0]!.n).toBe(3);
  });

  it('sends every subscriber the same, and none what was before', () => {
    const rig = new Rig();
    rig.request().finish();
    const [first, second] = [watched(rig), watched(rig)];
    rig.request({ requestId: 'x' }).finish();
    expect(first).toHaveLength(1);
    expect(second[0]).toBe(first[0]);
  });

  it('builds nothing while nobody is subscribed', () => {
    const rig = new Rig();
    const finished = rig.metrics.core.finished;
    let built = 0;
    finished.next = () => built++;
    rig.request().finish();
    expect(built).toBe(0);
    const subscription = rig.metrics.finishedRequests.subscribe();
    rig.request().finish();
    subscription.unsubscribe();
    rig.request().finish();
    expect(built).toBe(1);
  });

  it('cannot be fed from outside', () => {
    expect('next' in new Rig().metrics.finishedRequests).toBe(false);
  });

  it('lets a consumer end other requests from inside it', () => {
    const rig = new Rig();
    const other = rig.request({ requestId: 'other' });
    const seen: (string | undefined)[] = [];
    rig.metrics.finishedRequests.subscribe(({ requestId }) => {
      seen.push(requestId);
      other.abort();
    });
    rig.request({ requestId: 'first' }).finish();
    expect([seen, rig.metrics.inFlight]).toEqual([['first', 'other'], 0]);
  });
});

describe('inFlight', () => {
  it('counts requests from subscription to their end, on all engines', () => {
    const rig = new Rig();
    const live = [rig.request(), rig.request({ engineIndex: 1 }), rig.request({ engineIndex: 1 })];
    const counts = live.map((request, i) => {
      const before = rig.metrics.inFlight;
      if (i === 0) request.finish();
      else if (i === 1) request.abort();
      else request.source.error('e');
      request.abort();
      return before;
    });
    expect([...counts, rig.metrics.inFlight]).toEqual([3, 2, 1, 0]);
  });

  it('is down with the finish reason, before completion', () => {
    const rig = new Rig();
    const live = rig.request().output(1, { finishReason: 'stop' });
    expect(rig.metrics.inFlight).toBe(0);
    live.output(1).abort();
    expect(rig.metrics.inFlight).toBe(0);
  });
});
