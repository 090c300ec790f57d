/** The rules for the clock and for `unsubscribeReason`, one row each. */
import { describe, expect, it } from 'vitest';
import type { FinishReason } from '../../../src/index.js';
import { type Expected, expectSamples, odd, serve } from './serve.js';

type Row = readonly [name: string, now: () => number, expected: Expected, invalid: Record<string, number>];

const clocks: readonly Row[] = [
  ['that stops', () => 50_000, { e2e_request_latency_seconds: [1, 0] }, {}],
  [
    'that throws',
    (): number => {
      throw new Error('broken');
    },
    { e2e_request_latency_seconds: [1, 0] },
    { e2eRequestLatencySeconds: 1, timeToFirstTokenSeconds: 1 },
  ],
  [
    'that says NaN',
    () => Number.NaN,
    { e2e_request_latency_seconds: [1, 0] },
    { e2eRequestLatencySeconds: 1, timeToFirstTokenSeconds: 1 },
  ],
  [
    'that says no number',
    () => '50000' as unknown as number,
    { e2e_request_latency_seconds: [1, 0] },
    { e2eRequestLatencySeconds: 1, timeToFirstTokenSeconds: 1 },
  ],
];

describe('a custom clock', () => {
  it.each(clocks)('%s makes samples of 0', async (_name, now, expected, invalid) => {
    const served = await serve([odd({})], {}, { clock: { now } });
    expectSamples(served.page, expected);
    expect(served.invalid).toEqual(invalid);
  });

  it('that steps back an hour makes samples of 0, one that jumps a day makes long ones', async () => {
    let now = 10_000_000;
    const step = (by: number) => ({
      now: () => {
        now += by;
        return now;
      },
    });
    const back = await serve([odd({})], {}, { clock: step(-3_600_000) });
    expectSamples(back.page, { e2e_request_latency_seconds: [1, 0], time_to_first_token_seconds: [1, 0] });
    expect(back.invalid).toEqual({ e2eRequestLatencySeconds: 1, timeToFirstTokenSeconds: 1 });
    const jump = await serve([odd({})], {}, { clock: step(86_400_000) });
    expectSamples(jump.page, {
      time_to_first_token_seconds: [1, 86_400],
      e2e_request_latency_seconds: [1, 172_800],
    });
  });
});

describe('unsubscribeReason', () => {
  const reason = (value: unknown) => ({ unsubscribeReason: () => value as FinishReason });

  it.each(['stop', 'length', 'abort', 'error', 'repetition'])('that says %s is taken', async (value) => {
    const { page, invalid } = await serve([odd({})], reason(value));
    expect([page.success(), invalid]).toEqual([{ [value]: 1 }, {}]);
  });

  it.each(['STOP', undefined, null, 0, '__proto__', 'toString', {}])(
    'that says %o is an abort, with a diagnostic',
    async (value) => {
      const { page, invalid } = await serve([odd({})], reason(value));
      expect([page.success(), invalid]).toEqual([{ abort: 1 }, { unsubscribeReason: 1 }]);
    },
  );

  it('that throws is an abort, with a diagnostic', async () => {
    const unsubscribeReason = () => {
      throw new Error('boom');
    };
    const { page, invalid } = await serve([odd({})], { unsubscribeReason });
    expect([page.success(), invalid]).toEqual([{ abort: 1 }, { unsubscribeReason: 1 }]);
  });

  it('is not asked when the request ended otherwise', async () => {
    let asked = 0;
    const unsubscribeReason = () => {
      asked++;
      return 'stop' as const;
    };
    const { page } = await serve([odd({ finishReason: 'length' })], { unsubscribeReason });
    expect([page.success(), asked]).toEqual([{ length: 1 }, 0]);
  });
});
