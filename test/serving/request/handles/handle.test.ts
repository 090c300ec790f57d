import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import {
  type FinishedRequestStats,
  type FinishReason,
  type RequestHandle,
  ServingMetrics,
} from '../../../../src/index.js';
import { engineOutput } from '../../../../src/testing/index.js';
import { Gateway } from '../../../openai/gateway.js';
import { Rig } from '../../../support/rig.js';

type Ending = (handle: RequestHandle) => void;

describe('a handle', () => {
  it('starts its time at the call, and counts tokens by the frontend clock', async () => {
    const gateway = new Gateway();
    const handle = gateway.start({ numPromptTokens: 7, maxTokens: 9 });
    gateway.nowMs += 250;
    handle.tokens(1);
    gateway.nowMs += 100;
    handle.tokens(2);
    gateway.nowMs += 50;
    handle.end('stop');
    const page = await gateway.page();
    expect(page).toEqual({
      'request_success_total{finished_reason="stop"}': 1,
      prompt_tokens_total: 7,
      generation_tokens_total: 3,
      request_prompt_tokens_sum: 7,
      request_prompt_tokens_count: 1,
      request_generation_tokens_sum: 3,
      request_generation_tokens_count: 1,
      request_max_num_generation_tokens_sum: 3,
      request_max_num_generation_tokens_count: 1,
      request_params_max_tokens_sum: 9,
      request_params_max_tokens_count: 1,
      request_params_n_sum: 1,
      request_params_n_count: 1,
      time_to_first_token_seconds_sum: 0.25,
      time_to_first_token_seconds_count: 1,
      inter_token_latency_seconds_sum: expect.closeTo(0.1, 9),
      inter_token_latency_seconds_count: 1,
      request_time_per_output_token_seconds_sum: expect.closeTo(0.05, 9),
      request_time_per_output_token_seconds_count: 1,
      e2e_request_latency_seconds_sum: 0.4,
      e2e_request_latency_seconds_count: 1,
      request_decode_time_seconds_sum: expect.closeTo(0.1, 9),
      request_decode_time_seconds_count: 1,
      'rx_engine_metrics_token_counts_total{source="chunks"}': 1,
    });
  });

  it('records an engine’s outputs as the operator does', async () => {
    const [byHandle, byOperator] = [new Rig(), new Rig()];
    const outputs = [
      engineOutput(1, { timestamp: 1 }),
      engineOutput(2, { timestamp: 1.5, finishReason: 'length' }),
    ];
    const handle = byHandle.metrics.startRequest({ numPromptTokens: 4, engineIndex: 0 });
    const live = byOperator.request({ numPromptTokens: 4 });
    for (const output of outputs) {
      handle.next(output);
      live.source.next(output);
    }
    expect(handle.ended).toBe(true);
    expect(await byHandle.samples()).toEqual(await byOperator.samples());
  });

  it.each<[string, Ending, Ending, FinishReason]>([
    ['end, then fail', (handle) => handle.end('length'), (handle) => handle.fail(), 'length'],
    ['fail, then end', (handle) => handle.fail(), (handle) => handle.end('stop'), 'error'],
    ['dispose, then end', (handle) => handle[Symbol.dispose](), (handle) => handle.end('stop'), 'abort'],
    ['an end that is none', (handle) => handle.end('done' as FinishReason), () => {}, 'error'],
  ])('ends once: %s', async (_, first, second, reason) => {
    const gateway = new Gateway();
    const handle = gateway.start();
    first(handle);
    second(handle);
    handle.tokens(5);
    handle.usage({ completionTokens: 9 });
    const page = await gateway.page();
    expect(page[`request_success_total{finished_reason="${reason}"}`]).toBe(1);
    expect(page['e2e_request_latency_seconds_count']).toBe(1);
    expect(page['generation_tokens_total']).toBeUndefined();
    expect(gateway.metrics.inFlight).toBe(0);
  });

  it('throws nothing once it is there, whatever it is told', async () => {
    const gateway = new Gateway();
    const handle = gateway.start();
    const hostile = [Number.NaN, -1, 1.5, Number.POSITIVE_INFINITY, '3', null, {}, 1n];
    for (const value of hostile) {
      handle.tokens(value as number);
      handle.tokens(1, value as number);
      handle.usage({ promptTokens: value as number, completionTokens: value as number });
      handle.next(value as never);
      handle.choice(value as number);
    }
    handle.usage(undefined as never);
    handle.end('stop');
    const page = await gateway.page();
    expect(page['request_success_total{finished_reason="stop"}']).toBe(1);
    expect(page['generation_tokens_total']).toBe(hostile.length);
  });

  it('may be ended by the callback of a diagnostic of its own, and the rest is recorded first', async () => {
    const registry = new Registry();
    const onDiagnostic = () => handle.end('length');
    const metrics = new ServingMetrics({ registry, modelName: 'm', profile: 'gateway', onDiagnostic });
    const handle = metrics.startRequest({});
    handle.tokens(2, Number.NaN);
    const { requestSuccess, requestGenerationTokens } = metrics.forEngine(0);
    expect([requestSuccess.length.value, requestGenerationTokens.sum]).toEqual([1, 2]);
  });

  it('of a disposed instance is silent', () => {
    const gateway = new Gateway();
    const handle = gateway.start();
    gateway.metrics.dispose();
    handle.tokens(3);
    handle.usage({ promptTokens: 3, completionTokens: 9 });
    handle.end('stop');
    expect(gateway.diagnostics).toEqual([]);
    expect(gateway.metrics.inFlight).toBe(0);
  });
});

describe('usage', () => {
  it('corrects totals upward, without an inter-token sample', async () => {
    const gateway = new Gateway();
    const handle = gateway.start();
    handle.tokens(1);
    gateway.nowMs += 900;
    handle.tokens(1);
    handle.usage({ promptTokens: 20, cachedTokens: 5, completionTokens: 10 });
    handle.end('stop');
    const page = await gateway.page();
    expect(page).toMatchObject({
      prompt_tokens_total: 20,
      prompt_tokens_cached_total: 5,
      request_prompt_tokens_sum: 20,
      generation_tokens_total: 10,
      request_generation_tokens_sum: 10,
      inter_token_latency_seconds_count: 1,
      request_time_per_output_token_seconds_sum: expect.closeTo(0.1, 9),
      'rx_engine_metrics_token_counts_total{source="usage"}': 1,
    });
  });

  it('that is lower changes no total', async () => {
    const gateway = new Gateway();
    const handle = gateway.start({ numPromptTokens: 30 });
    handle.tokens(8);
    handle.usage({ promptTokens: 20, completionTokens: 5 });
    handle.end('stop');
    expect(await gateway.page()).toMatchObject({
      prompt_tokens_total: 30,
      request_prompt_tokens_sum: 30,
      generation_tokens_total: 8,
      request_generation_tokens_sum: 8,
      'rx_engine_metrics_token_counts_total{source="chunks"}': 1,
    });
  });

  it('before the first token is the prompt’s length', async () => {
    const gateway = new Gateway();
    const handle = gateway.start({ numPromptTokens: 30 });
    handle.usage({ promptTokens: 20 });
    handle.tokens(1);
    handle.end('stop');
    expect(await gateway.page()).toMatchObject({ prompt_tokens_total: 20, request_prompt_tokens_sum: 20 });
  });

  it('without a token seen has no time to first token, none between tokens and none per token', async () => {
    const gateway = new Gateway();
    const handle = gateway.start();
    handle.usage({ promptTokens: 20, completionTokens: 5 });
    handle.end('stop');
    const page = await gateway.page();
    expect(page).toMatchObject({ prompt_tokens_total: 20, generation_tokens_total: 5 });
    for (const family of ['time_to_first_token', 'inter_token_latency', 'request_decode_time'])
      expect(page[`${family}_seconds_count`]).toBeUndefined();
  });

  it('brings the engine’s own times to finishedRequests', () => {
    const gateway = new Gateway();
    const seen: FinishedRequestStats[] = [];
    gateway.metrics.finishedRequests.subscribe((stats) => seen.push(stats));
    const handle = gateway.start();
    handle.usage({ completionTokens: 1, timings: { queuedTime: 0.5 } });
    handle.end('stop');
    expect(seen[0]?.engineTimings).toEqual({ queuedTime: 0.5 });
  });
});

describe('choices', () => {
  it('have a record each; n and the longest are observed once, the prompt once a choice', async () => {
    const gateway = new Gateway();
    const handle = gateway.start({ numPromptTokens: 5, n: 2 });
    expect(handle.choice(0)).toBe(handle);
    handle.tokens(3);
    handle.choice(1).tokens(7);
    expect(gateway.metrics.inFlight).toBe(2);
    handle.end('stop');
    handle.choice(1).end('length');
    expect(await gateway.page()).toMatchObject({
      'request_success_total{finished_reason="stop"}': 1,
      'request_success_total{finished_reason="length"}': 1,
      prompt_tokens_total: 10,
      generation_tokens_total: 10,
      request_params_n_count: 1,
      request_params_n_sum: 2,
      request_max_num_generation_tokens_sum: 7,
      request_max_num_generation_tokens_count: 1,
      time_to_first_token_seconds_count: 2,
    });
  });

  it('that never came are not waited for once the handle is disposed', async () => {
    const gateway = new Gateway();
    const handle = gateway.start({ n: 3 });
    handle.tokens(2);
    handle.end('stop');
    expect((await gateway.page())['request_params_n_count']).toBeUndefined();
    handle[Symbol.dispose]();
    expect(await gateway.page()).toMatchObject({ request_params_n_sum: 3, request_params_n_count: 1 });
  });

  it('beyond n belong to a further prompt', async () => {
    const gateway = new Gateway();
    const handle = gateway.start({ n: 2 });
    for (const index of [0, 1, 2, 3]) handle.choice(index).end('stop');
    expect(await gateway.page()).toMatchObject({ request_params_n_sum: 4, request_params_n_count: 2 });
  });

  it('start with the request, whenever they are first heard of', async () => {
    const gateway = new Gateway();
    const handle = gateway.start({ n: 2 });
    gateway.nowMs += 300;
    handle.choice(1).tokens(1);
    handle.fail();
    expect(await gateway.page()).toMatchObject({
      time_to_first_token_seconds_sum: 0.3,
      'request_success_total{finished_reason="error"}': 2,
      e2e_request_latency_seconds_sum: 0.6,
    });
  });
});

it.each([undefined, null])('a gateway’s handle without an engine is of engine 0: %s', (engineIndex) => {
  const gateway = new Gateway();
  gateway.start({ engineIndex: engineIndex as undefined }).tokens(3);
  expect(gateway.metrics.forEngine(0).generationTokens.value).toBe(3);
});

describe('a handle cannot be made', () => {
  it.each<[string, unknown, RegExp]>([
    ['of nothing', undefined, /startRequest\.request: expected an object, got undefined/],
    ['without an engine', { numPromptTokens: 1 }, /startRequest\.engineIndex: expected a whole number/],
    [
      'with a bad prompt',
      { numPromptTokens: -1, engineIndex: 0 },
      /startRequest\.numPromptTokens: expected a whole/,
    ],
  ])('%s', (_, request, message) => {
    const { metrics } = new Rig();
    expect(() => metrics.startRequest(request as never)).toThrow(message);
    expect(metrics.inFlight).toBe(0);
  });
});
