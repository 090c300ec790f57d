import { describe, expect, it } from 'vitest';
import type { FinishReason } from '../../../src/index.js';
import { Rig } from '../../support/rig.js';
import { watched } from '../../support/watched.js';

describe('a value of finishedRequests', () => {
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
});

it.each<FinishReason>(['stop', 'length', 'abort', 'error', 'repetition'])(
  'an engine may end a request with %s',
  async (finishReason) => {
    const rig = new Rig();
    rig.request().output(1, { finishReason });
    expect(await rig.value('vllm:request_success_total', 0, `finished_reason="${finishReason}"`)).toBe(1);
    expect(rig.diagnostics).toEqual([]);
  },
);

it('a request without id, adapter and cap has none of them in its record', () => {
  const rig = new Rig();
  const records: object[] = [];
  rig.metrics.finishedRequests.subscribe((record) => records.push(record));
  rig.request().abort();
  expect(Object.keys(records[0]!)).not.toContain('requestId');
  expect(Object.keys(records[0]!)).not.toContain('loraName');
  expect(Object.keys(records[0]!)).not.toContain('maxTokens');
});
