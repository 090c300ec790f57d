/** The rules for timestamps of outputs, one row each. */
import { describe, expect, it } from 'vitest';
import { engineOutput } from '../../../src/testing/index.js';
import { expectSamples, odd, serve, timeless } from './serve.js';

it('takes no stamp and no sample of an output without tokens, whatever its time', async () => {
  const empty = [Number.NaN, -5, 3].map((timestamp) => engineOutput(0, { timestamp }));
  const { page, invalid } = await serve([...empty, odd({ timestamp: 4 }), ...empty, odd({ timestamp: 6 })]);
  expectSamples(page, {
    time_to_first_token_seconds: [1, 40],
    inter_token_latency_seconds: [1, 2],
    request_decode_time_seconds: [1, 2],
  });
  expect(invalid).toEqual({});
});

const unusable: readonly unknown[] = [
  null,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  '5',
  {},
  5n,
  Symbol('time'),
  true,
  new Date(5),
];

describe.each(['zero', 'omit'] as const)('with unknownIntervals %s, a timestamp', (unknownIntervals) => {
  const omitted = unknownIntervals === 'omit' ? ([0, 0] as const) : ([1, 0] as const);

  it.each([...unusable.map((timestamp) => odd({ timestamp })), timeless()])(
    'that is unusable on the first output stays missing: row %#',
    async (first) => {
      const { page, invalid } = await serve(
        [first, odd({ timestamp: 5 }), odd({ timestamp: 7 })],
        {},
        { unknownIntervals },
      );
      expectSamples(page, {
        time_to_first_token_seconds: [1, 10],
        inter_token_latency_seconds: [2, 2],
        request_decode_time_seconds: omitted,
        request_time_per_output_token_seconds: omitted,
        generation_tokens_total: 3,
      });
      expect(invalid).toEqual({ interTokenLatencySeconds: 1 });
    },
  );

  it.each([...unusable.map((timestamp) => odd({ timestamp })), timeless()])(
    'that is unusable later is a sample of 0 and moves no stamp: row %#',
    async (later) => {
      const { page, invalid } = await serve(
        [odd({ timestamp: 5 }), later, odd({ timestamp: 8 })],
        {},
        { unknownIntervals },
      );
      expectSamples(page, {
        inter_token_latency_seconds: [2, 3],
        request_decode_time_seconds: [1, 3],
        request_time_per_output_token_seconds: [1, 1.5],
        generation_tokens_total: 3,
      });
      expect(invalid).toEqual({ interTokenLatencySeconds: 1 });
    },
  );
});

it('takes a timestamp that goes back as a sample of 0 and as the last stamp', async () => {
  const { page, invalid } = await serve([5, 3, 4.5].map((timestamp) => odd({ timestamp })));
  expectSamples(page, { inter_token_latency_seconds: [2, 1.5] });
  expect(invalid).toEqual({ interTokenLatencySeconds: 1, requestDecodeTimeSeconds: 1 });
});

it('takes 0 as a time', async () => {
  const events = [
    { type: 'queued', timestamp: 0 },
    { type: 'scheduled', timestamp: 0 },
  ];
  const { page } = await serve(
    [odd({ timestamp: 0, events }), odd({ timestamp: 2 })],
    {},
    { unknownIntervals: 'omit' },
  );
  expectSamples(page, {
    inter_token_latency_seconds: [1, 2],
    request_queue_time_seconds: [1, 0],
    request_prefill_time_seconds: [1, 0],
    request_decode_time_seconds: [1, 2],
    request_inference_time_seconds: [1, 2],
  });
});
