/** Worked examples 1 to 7 of upstream's own tests: requests, through router and operators. */
import { expect, it } from 'vitest';
import type { EngineCoreEvent, FinishedRequestStats } from '../../../src/index.js';
import { Example, outputOf } from './example.js';

const QUEUED: EngineCoreEvent = { type: 'queued', timestamp: 8 };
const SCHEDULED: EngineCoreEvent = { type: 'scheduled', timestamp: 9 };
const PREEMPTED: EngineCoreEvent = { type: 'preempted', timestamp: 10.5 };

const EXAMPLE_1 = {
  'request_success_total{length}': 1,
  prompt_tokens_total: 2,
  'prompt_tokens_by_source_total{local_compute}': 2,
  generation_tokens_total: 3,
  num_preemptions_total: 1,
  request_num_preemptions_sum: 1,
  request_num_preemptions_count: 1,
  time_to_first_token_seconds_sum: 0.5,
  time_to_first_token_seconds_count: 1,
  inter_token_latency_seconds_sum: 1.5,
  inter_token_latency_seconds_count: 1,
  e2e_request_latency_seconds_sum: 2,
  e2e_request_latency_seconds_count: 1,
  request_prompt_tokens_sum: 2,
  request_prompt_tokens_count: 1,
  request_generation_tokens_sum: 3,
  request_generation_tokens_count: 1,
  request_max_num_generation_tokens_sum: 3,
  request_max_num_generation_tokens_count: 1,
  request_prefill_kv_computed_tokens_sum: 2,
  request_prefill_kv_computed_tokens_count: 1,
  request_queue_time_seconds_sum: 1,
  request_queue_time_seconds_count: 1,
  request_prefill_time_seconds_sum: 1,
  request_prefill_time_seconds_count: 1,
  request_decode_time_seconds_sum: 1.5,
  request_decode_time_seconds_count: 1,
  request_inference_time_seconds_sum: 2.5,
  request_inference_time_seconds_count: 1,
  request_time_per_output_token_seconds_sum: 0.75,
  request_time_per_output_token_seconds_count: 1,
  request_params_max_tokens_sum: 8,
  request_params_max_tokens_count: 1,
  request_params_n_sum: 1,
  request_params_n_count: 1,
  iteration_tokens_total_sum: 5,
  iteration_tokens_total_count: 2,
  'engine_sleep_state{awake}': 1,
};

it('1: a full request on engine 4 records all its metrics', async () => {
  const example = new Example([4]);
  example.open('r', { numPromptTokens: 2, maxTokens: 8 }).subscribe();
  const prefillStats = { numPromptTokens: 2, numComputedTokens: 2 };
  example.now = 0.5;
  example.step(10, [outputOf('r', [1], { events: [QUEUED, SCHEDULED], prefillStats })]);
  example.now = 2;
  example.step(11.5, [outputOf('r', [2, 3], { events: [PREEMPTED], finishReason: 'length' })]);

  expect(await example.samples()).toEqual(EXAMPLE_1);
});

/** What is not here is 0: preemptions, inter-token latencies, the decode time and that per token. */
const EXAMPLE_2 = {
  'request_success_total{abort}': 1,
  prompt_tokens_total: 2,
  'prompt_tokens_by_source_total{local_compute}': 2,
  generation_tokens_total: 1,
  request_num_preemptions_count: 1,
  time_to_first_token_seconds_count: 1,
  e2e_request_latency_seconds_count: 1,
  request_prompt_tokens_sum: 2,
  request_prompt_tokens_count: 1,
  request_generation_tokens_sum: 1,
  request_generation_tokens_count: 1,
  request_max_num_generation_tokens_sum: 1,
  request_max_num_generation_tokens_count: 1,
  request_prefill_kv_computed_tokens_sum: 2,
  request_prefill_kv_computed_tokens_count: 1,
  request_queue_time_seconds_sum: 1,
  request_queue_time_seconds_count: 1,
  request_prefill_time_seconds_sum: 1,
  request_prefill_time_seconds_count: 1,
  request_decode_time_seconds_count: 1,
  request_inference_time_seconds_sum: 1,
  request_inference_time_seconds_count: 1,
  request_time_per_output_token_seconds_count: 1,
  request_params_max_tokens_sum: 8,
  request_params_max_tokens_count: 1,
  request_params_n_sum: 1,
  request_params_n_count: 1,
  iteration_tokens_total_sum: 1,
  iteration_tokens_total_count: 1,
  'engine_sleep_state{awake}': 1,
};

it('2: a dropped stream on engine 5 records one abort, and its prompt as computed here', async () => {
  const example = new Example([5]);
  const dropped = example.open('r', { numPromptTokens: 2, maxTokens: 8 }).subscribe();
  example.step(10, [outputOf('r', [99], { events: [QUEUED, SCHEDULED] })]);
  dropped.unsubscribe();

  expect(example.aborted).toEqual(['r']);
  expect(await example.samples()).toEqual(EXAMPLE_2);
});

const EXAMPLE_3 = {
  requestId: 'r',
  modelName: 'model',
  engineIndex: 2,
  finishReason: 'abort',
  numPromptTokens: 64,
  numCachedTokens: 4,
  numGenerationTokens: 3,
  numPreemptions: 1,
  maxTokens: 128,
  n: 1,
  timeToFirstToken: expect.closeTo(0.2, 9),
  e2eLatency: expect.closeTo(0.4, 9),
  queuedTime: 1,
  prefillTime: 1,
  decodeTime: 1.5,
  inferenceTime: 2.5,
  meanTimePerOutputToken: 0.75,
};

it('3: the stamps of engine 2 make the durations of the request', () => {
  const example = new Example([2]);
  const finished: FinishedRequestStats[] = [];
  example.metrics.finishedRequests.subscribe((stats) => finished.push(stats));
  example.now = 100;
  const request = { numPromptTokens: 64, maxTokens: 128, n: 1, arrivalTimeMs: 100_000 };
  const live = example.open('r', request).subscribe();
  const prefillStats = {
    numPromptTokens: 64,
    numComputedTokens: 60,
    numCachedTokens: 4,
    numLocalCachedTokens: 4,
  };
  example.now = 100.2;
  example.step(10, [outputOf('r', [1], { events: [QUEUED, SCHEDULED], prefillStats })]);
  example.now = 100.4;
  example.step(11.5, [outputOf('r', [2, 3], { events: [PREEMPTED] })]);
  live.unsubscribe();

  expect(finished).toEqual([EXAMPLE_3]);
});
