/** The rules for events, one row each. */
import { expect, it } from 'vitest';
import { eventRows, queued } from './event-rows.js';
import { expectSamples, odd, serve } from './serve.js';

it.each(eventRows)('records events by the rules: %s', async (_name, first, second, expected, invalid) => {
  const served = await serve([odd({ timestamp: 10, events: first }), odd({ timestamp: 12, events: second })]);
  expectSamples(served.page, expected);
  expect(served.invalid).toEqual(invalid);
});

it('leaves out intervals without both ends if told to', async () => {
  const events = [queued(1)];
  const { page } = await serve([odd({ timestamp: 10, events })], {}, { unknownIntervals: 'omit' });
  expectSamples(page, {
    request_queue_time_seconds: [0, 0],
    request_prefill_time_seconds: [0, 0],
    request_inference_time_seconds: [0, 0],
    request_decode_time_seconds: [1, 0],
    request_time_per_output_token_seconds: [1, 0],
  });
});

it('leaves out all engine intervals of a request without tokens if told to', async () => {
  const { page } = await serve([], {}, { unknownIntervals: 'omit' });
  expectSamples(page, {
    e2e_request_latency_seconds: [1, 0],
    request_queue_time_seconds: [0, 0],
    request_prefill_time_seconds: [0, 0],
    request_decode_time_seconds: [0, 0],
    request_inference_time_seconds: [0, 0],
    request_time_per_output_token_seconds: [0, 0],
    request_num_preemptions: [1, 0],
  });
});
