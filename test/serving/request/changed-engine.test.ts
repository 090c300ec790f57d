/** A request whose outputs come from another engine than before: each has a clock of its own. */
import { describe, expect, it } from 'vitest';
import { Rig } from '../../support/rig.js';

const queued = (timestamp: number) => ({ type: 'queued', timestamp }) as const;
const scheduled = (timestamp: number) => ({ type: 'scheduled', timestamp }) as const;
const FROM_1 = { engineIndex: 1 };

const sampled = ({ metrics }: Rig) => {
  const { interTokenLatencySeconds } = metrics.forEngine(0);
  return [interTokenLatencySeconds.count, interTokenLatencySeconds.sum];
};

/** Queue, prefill, decode and inference time of the one request that ended. */
function durations({ metrics }: Rig): (number | 'none')[] {
  const engine = metrics.forEngine(0);
  return [
    engine.requestQueueTimeSeconds,
    engine.requestPrefillTimeSeconds,
    engine.requestDecodeTimeSeconds,
    engine.requestInferenceTimeSeconds,
  ].map(({ count, sum }) => (count === 0 ? 'none' : sum));
}

describe('between tokens of two engines', () => {
  it('the sample is 0, and the next one is of the new clock', () => {
    const rig = new Rig();
    const request = rig.request().output(1, { timestamp: 1 });
    request.output(1, { ...FROM_1, timestamp: 1000 });
    expect(sampled(rig)).toEqual([1, 0]);
    request.output(1, { ...FROM_1, timestamp: 1002 });
    request.output(1, { ...FROM_1, timestamp: 1003 });
    expect(sampled(rig)).toEqual([3, 3]);
  });

  it.each([[[]], [[scheduled(999)]]])(
    'it is 0 if the new one begins with an output without any: %j',
    (events) => {
      const rig = new Rig();
      const request = rig.request().output(1, { timestamp: 1 });
      request.output(0, { ...FROM_1, timestamp: 999, events });
      request.output(1, { ...FROM_1, timestamp: 1000 });
      expect(sampled(rig)).toEqual([1, 0]);
      request.output(1, { ...FROM_1, timestamp: 1001 });
      expect(sampled(rig)).toEqual([2, 1]);
    },
  );

  it('it is of the first clock if only an output without any came in between', () => {
    const rig = new Rig();
    const request = rig.request().output(1, { timestamp: 1 });
    request.output(0, { ...FROM_1, timestamp: 1000 });
    request.output(1, { timestamp: 3 });
    expect(sampled(rig)).toEqual([1, 2]);
  });
});

describe('a duration between stamps of two engines is unknown', () => {
  it.each<[string, number[], (number | 'none')[]]>([
    ['none', [0, 0, 0, 0], [1, 1, 3, 4]],
    ['after it was queued', [0, 1, 1, 1], ['none', 1, 3, 4]],
    ['after it was scheduled', [0, 0, 1, 1], [1, 'none', 3, 'none']],
    ['after its first token', [0, 0, 0, 1], [1, 1, 'none', 'none']],
    ['and back for the last token', [0, 1, 1, 0], ['none', 1, 'none', 'none']],
  ])('a change %s', (_, [queuedOn, scheduledOn, firstOn, lastOn], expected) => {
    const rig = new Rig({ unknownIntervals: 'omit' });
    const request = rig.request();
    request.output(0, { engineIndex: queuedOn!, timestamp: 1, events: [queued(1)] });
    request.output(0, { engineIndex: scheduledOn!, timestamp: 2, events: [scheduled(2)] });
    request.output(1, { engineIndex: firstOn!, timestamp: 3 });
    request.output(1, { engineIndex: lastOn!, timestamp: 6, finishReason: 'stop' });
    expect(durations(rig)).toEqual(expected);
  });
});

describe('what is said of it', () => {
  it('names the engine whose outputs came before', () => {
    const rig = new Rig();
    rig
      .request()
      .output(1, { timestamp: 1 })
      .output(1, { ...FROM_1, timestamp: 2 })
      .output(1, { timestamp: 3 });
    expect(rig.diagnostics.map(({ message, value }) => [message, value])).toEqual([
      ["expected engine 0, took no interval between its clock and the other's", 1],
      ["expected engine 1, took no interval between its clock and the other's", 0],
    ]);
  });

  it('is that an index that is none was taken for the request’s own', () => {
    const rig = new Rig();
    rig.request().output(1, { timestamp: 1 }).output(1, { engineIndex: -1, timestamp: 2 });
    expect(sampled(rig)).toEqual([1, 1]);
    expect(rig.diagnostics).toMatchObject([
      {
        source: 'engineIndex',
        message: "expected a whole number of at least 0, took the request's",
        value: -1,
      },
    ]);
  });
});

describe('work that ends without a token', () => {
  const PREFILL = { numPromptTokens: 4, numComputedTokens: 4 };

  it.each([
    ['on its engine', 0, 5, ['none', 3, 0, 3], []],
    ['on another one', 1, 5, ['none', 'none', 0, 'none'], ['engineIndex']],
    ['at no time', 0, Number.NaN, ['none', 'none', 0, 'none'], ['requestPrefillTimeSeconds']],
  ])('%s has nothing to decode', (_, engineIndex, timestamp, expected, sources) => {
    const rig = new Rig({ unknownIntervals: 'omit' });
    const request = rig.request();
    request.output(0, { timestamp: 2, events: [scheduled(2)], prefillStats: PREFILL });
    request.output(0, { engineIndex, timestamp, finishReason: 'stop' });
    expect([durations(rig), rig.sources()]).toEqual([expected, sources]);
    if (Number.isNaN(timestamp))
      expect(rig.diagnostics[0]?.message).toBe('expected a timestamp in seconds, took it as missing');
  });
});
