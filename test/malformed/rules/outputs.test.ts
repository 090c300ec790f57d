/** The rules for outputs, one row each. */
import { describe, expect, it } from 'vitest';
import { expectSamples, odd, serve } from './serve.js';

describe('a finish reason', () => {
  it.each(['stop', 'length', 'abort', 'error', 'repetition'] as const)(
    'of %s is counted as it is',
    async (finishReason) => {
      const { page, invalid } = await serve([odd({ finishReason })]);
      expect([page.success(), invalid]).toEqual([{ [finishReason]: 1 }, {}]);
    },
  );

  it.each([
    'STOP',
    'cancelled',
    '',
    0,
    1,
    true,
    {},
    ['stop'],
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
  ])('of %j counts as an error, with a diagnostic', async (finishReason) => {
    const { page, invalid } = await serve([odd({ finishReason })]);
    expect([page.success(), invalid]).toEqual([{ error: 1 }, { finishReason: 1 }]);
  });

  it.each([undefined, null])('of %s is none', async (finishReason) => {
    const { page, invalid } = await serve([odd({ finishReason })]);
    expect([page.success(), invalid]).toEqual([{ abort: 1 }, {}]);
  });
});

describe('token ids', () => {
  it.each([
    [undefined, 0, 1],
    [null, 0, 1],
    [[], 0, 0],
    [[7, 8, 9], 3, 0],
    [new Uint32Array(4), 4, 0],
    ['abc', 0, 1],
    [5, 0, 1],
    [{ length: 3 }, 0, 1],
    [new DataView(new ArrayBuffer(8)), 0, 1],
    [new Set([1]), 0, 1],
  ])('of %j are %i tokens and %i diagnostics', async (newTokenIds, tokens, diagnostics) => {
    const { page, invalid } = await serve([odd({ newTokenIds })]);
    expectSamples(page, {
      generation_tokens_total: tokens,
      request_generation_tokens: [1, tokens],
      time_to_first_token_seconds: tokens > 0 ? [1, 10] : [0, 0],
      prompt_tokens_total: tokens > 0 ? 9 : 0,
    });
    expect(invalid).toEqual(diagnostics === 0 ? {} : { newTokenIds: diagnostics });
  });

  it('are counted alike in mid-generation', async () => {
    const mid = [new Uint8Array(2), 'abc', [1]].map((newTokenIds, i) =>
      odd({ newTokenIds, timestamp: 2 + i }),
    );
    const { page, invalid } = await serve([odd({}), ...mid]);
    expectSamples(page, { generation_tokens_total: 4, inter_token_latency_seconds: [2, 3] });
    expect(invalid).toEqual({ newTokenIds: 1 });
  });
});

it.each(['5', Number.POSITIVE_INFINITY, Number.NaN, -1, 1.5, 2 ** 40, 7n])(
  'survives an array whose length is said to be %s',
  async (length) => {
    const newTokenIds = new Proxy([1, 2], {
      get: (list, key) => (key === 'length' ? length : Reflect.get(list, key)),
    });
    const lying = [1, 2, 3].map((timestamp) => odd({ newTokenIds, timestamp }));
    const { page } = await serve([odd({}), ...lying, odd({ timestamp: 4 })]);
    const generated = page.value('generation_tokens_total')!;
    expect(Number.isSafeInteger(generated) && generated >= 2).toBe(true);
    expectSamples(page, { request_generation_tokens: [1, generated] });
  },
);

describe('numNansInLogits', () => {
  it.each([
    [[0], 0, {}],
    [[undefined], 0, {}],
    [[null], 0, {}],
    [[2], 1, {}],
    [[2, 3, 0], 1, {}],
    [[-1], 0, { numNansInLogits: 1 }],
    [[Number.NaN, '2', Number.POSITIVE_INFINITY], 0, { numNansInLogits: 3 }],
    [[-1, 1], 1, { numNansInLogits: 1 }],
  ])('of %j makes %i corrupted requests, aborts included', async (counts, corrupted, diagnostics) => {
    const { page, invalid } = await serve(
      counts.map((numNansInLogits, i) => odd({ numNansInLogits, timestamp: i })),
    );
    expectSamples(page, { corrupted_requests_total: corrupted });
    expect([page.success(), invalid]).toEqual([{ abort: 1 }, diagnostics]);
  });
});

it('counts a corrupted request with its terminal record, not before', async () => {
  const { page } = await serve([
    odd({ numNansInLogits: 1, finishReason: 'stop' }),
    odd({ numNansInLogits: 1 }),
  ]);
  expectSamples(page, { corrupted_requests_total: 1 });
  expect(page.success()).toEqual({ stop: 1 });
});
