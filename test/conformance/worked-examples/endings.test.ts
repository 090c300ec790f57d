/** Worked examples 4 to 7 of upstream's own tests: endings, and where prompts come from. */
import { expect, it } from 'vitest';
import { RequestStreamClosedError } from '../../../src/index.js';
import { Example, outputOf } from './example.js';

/** A parent of two sequences that the engine aborts in one message: what their streams gave. */
function abortedPair(example: Example): unknown[] {
  const parent = example.metrics.parallelSampling(2);
  const seen: unknown[] = [];
  const ids = ['external-0', 'external-1'];
  for (const id of ids) {
    example.open(id, { numPromptTokens: 2, parent }).subscribe({
      next: ({ output }) => seen.push([id, output.newTokenIds, output.finishReason]),
      complete: () => seen.push([id, 'complete']),
    });
  }
  const tokens = ids.map((id) => outputOf(id, [7]));
  const ends = ids.map((id) => outputOf(id, [], { finishReason: 'abort' }));
  const wallClock = 1_790_000_000;
  example.step(10, tokens);
  example.step(wallClock, ends);
  return seen;
}

it('4: an explicit abort ends all sequences of a request with one output without tokens', async () => {
  const example = new Example([0]);

  expect(abortedPair(example)).toEqual([
    ['external-0', [7], undefined],
    ['external-1', [7], undefined],
    ['external-0', [], 'abort'],
    ['external-0', 'complete'],
    ['external-1', [], 'abort'],
    ['external-1', 'complete'],
  ]);
  expect(example.aborted).toEqual([]);
  const samples = await example.samples();
  expect(samples).toMatchObject(EXAMPLE_4);
  // An output without tokens moves no stamp, whatever its timestamp.
  expect(samples).not.toHaveProperty('inter_token_latency_seconds_count');
  expect(samples).not.toHaveProperty('request_decode_time_seconds_sum');
});

const EXAMPLE_4 = {
  'request_success_total{abort}': 2,
  e2e_request_latency_seconds_count: 2,
  time_to_first_token_seconds_count: 2,
  request_decode_time_seconds_count: 2,
  request_max_num_generation_tokens_count: 1,
  request_params_n_sum: 2,
  request_params_n_count: 1,
};

it('5: an unexpected close is one stream error, recorded once as error', async () => {
  const example = new Example([0]);
  const errors: unknown[] = [];
  const stream = example.open('r', { numPromptTokens: 2 });
  stream.subscribe({ error: (error) => errors.push(error), complete: () => errors.push('complete') });
  example.step(10, [], { finishedRequests: ['r'] });
  example.step(11, [], { finishedRequests: ['r'] });

  expect(errors).toEqual([expect.any(RequestStreamClosedError)]);
  const samples = await example.samples();
  const successes = Object.entries(samples).filter(([name]) => name.startsWith('request_success'));
  expect(successes).toEqual([['request_success_total{error}', 1]]);
  expect(samples['e2e_request_latency_seconds_count']).toBe(1);
  expect(samples['prompt_tokens_total']).toBeUndefined();
});

it.each([
  [0, 0, 1000],
  [300, 0, 700],
  [0, 500, 500],
  [400, 200, 400],
  [999, 0, 1],
  [0, 999, 1],
])(
  '6: %i local and %i external tokens of a prompt of 1000 leave %i to compute',
  async (local, external, computed) => {
    const example = new Example([0]);
    example.open('r', { numPromptTokens: 1000 }).subscribe();
    const prefillStats = {
      numPromptTokens: 1000,
      numComputedTokens: computed,
      numCachedTokens: local + external,
      numLocalCachedTokens: local,
      numExternalCachedTokens: external,
    };
    example.step(10, [outputOf('r', [1], { prefillStats })]);

    const samples = await example.samples();
    const sources = ['local_compute', 'local_cache_hit', 'external_kv_transfer'];
    const bySource = sources.map((source) => samples[`prompt_tokens_by_source_total{${source}}`] ?? 0);
    expect(bySource).toEqual([computed, local, external]);
    expect(samples['prompt_tokens_total']).toBe(1000);
    expect(samples['prompt_tokens_cached_total'] ?? 0).toBe(local + external);
    expect(samples['iteration_tokens_total_sum']).toBe(computed + 1);
  },
);

it.each([
  [10_000, 1200, 8800],
  [2000, 0, 2000],
  [100, -1, 100],
  [100, 100, 0],
])('7: a prompt of %i with %i cached computes the KV of %i', async (numPromptTokens, cached, computed) => {
  const example = new Example([0]);
  example.open('r', { numPromptTokens }).subscribe();
  const prefillStats = {
    numPromptTokens,
    numComputedTokens: numPromptTokens - cached,
    numCachedTokens: cached,
    numLocalCachedTokens: cached,
  };
  example.step(10, [outputOf('r', [1], { prefillStats, finishReason: 'stop' })]);

  const samples = await example.samples();
  expect(samples['request_prefill_kv_computed_tokens_count']).toBe(1);
  expect(samples['request_prefill_kv_computed_tokens_sum'] ?? 0).toBe(computed);
});
