/** What a request's life may hold: work without tokens, other engines, other units, lengths that only the engine knows. */
import { Subject } from 'rxjs';
import { expect, it, vi } from 'vitest';
import { withRequestMetrics } from '../../../src/index.js';
import { engineOutput } from '../../../src/testing/index.js';
import { LiveRequest, Rig } from '../../support/rig.js';
import { watched } from '../../support/watched.js';

const bySource = (rig: Rig, source: string) =>
  rig.value('vllm:prompt_tokens_by_source_total', 0, `source="${source}"`);

const sums = (rig: Rig, ...names: readonly string[]) =>
  Promise.all(names.map((name) => rig.value(`vllm:${name}_sum`)));

const counts = (rig: Rig, ...names: readonly string[]) =>
  Promise.all(names.map((name) => rig.value(`vllm:${name}_count`)));

const EVENTS = [
  { type: 'queued', timestamp: 10 },
  { type: 'scheduled', timestamp: 11 },
] as const;
const PREFILL = {
  numPromptTokens: 512,
  numComputedTokens: 500,
  numLocalCachedTokens: 12,
  numCachedTokens: 12,
};

/*
 * https://github.com/vllm-project/vllm/issues/9265, https://github.com/ai-dynamo/dynamo/issues/9753
 * Pooling, and an error after the prefill: 512 in the prompt and iteration sums, 0 in prompt_tokens_total, and an
 * inference time of 0.
 */
it.each(['stop', 'error', 'abort'] as const)(
  'work that ends %s without a token counts its prompt',
  async (fin) => {
    for (const unknownIntervals of ['zero', 'omit'] as const) {
      const rig = new Rig({ unknownIntervals });
      const records = watched(rig);
      const last = { timestamp: 14, finishReason: fin, prefillStats: PREFILL, events: EVENTS };
      const live = rig.request({ numPromptTokens: 512 });
      rig.batch({ outputs: [engineOutput(0, last).output], timestamp: 14 });
      live.output(0, last);
      expect(await rig.value('vllm:prompt_tokens_total')).toBe(512);
      expect([await bySource(rig, 'local_compute'), await bySource(rig, 'local_cache_hit')]).toEqual([
        500, 12,
      ]);
      expect(await sums(rig, 'iteration_tokens_total', 'request_prompt_tokens')).toEqual([500, 512]);
      const times = ['queue', 'prefill', 'decode', 'inference'].map((name) => `request_${name}_time_seconds`);
      expect(await sums(rig, ...times)).toEqual([1, 3, 0, 3]);
      expect(await counts(rig, ...times, 'request_time_per_output_token_seconds')).toEqual([1, 1, 1, 1, 1]);
      expect(await counts(rig, 'time_to_first_token_seconds', 'inter_token_latency_seconds')).toEqual([0, 0]);
      expect(records).toMatchObject([
        { prefillTime: 3, inferenceTime: 3, decodeTime: 0, numCachedTokens: 12 },
      ]);
      expect(rig.sources()).toEqual([]);
    }
  },
);

/*
 * https://github.com/vllm-project/vllm/issues/9265
 * The same given up by its client: what was computed is counted all the same, and its prefill has no end.
 */
it('work given up after its prefill counts its prompt once, and its prefill has no end', async () => {
  const rig = new Rig({ unknownIntervals: 'omit' });
  const live = rig.request({ numPromptTokens: 512 }).output(0, { prefillStats: PREFILL, events: EVENTS });
  expect(await rig.value('vllm:prompt_tokens_total')).toBe(0);
  live.abort();
  expect([await rig.value('vllm:prompt_tokens_total'), await bySource(rig, 'local_compute')]).toEqual([
    512, 500,
  ]);
  expect(await counts(rig, 'request_queue_time_seconds', 'request_prefill_time_seconds')).toEqual([1, 0]);
  expect(await sums(rig, 'request_prefill_kv_computed_tokens')).toEqual([500]);
});

/*
 * https://github.com/ai-dynamo/dynamo/issues/1930, https://github.com/vllm-project/vllm/issues/12930
 * A request moves to another engine, whose clock is another: stamps of 10.1 and 500000 were 499,990 s between tokens.
 */
it('a request that moves to another engine has no interval across the two', async () => {
  const rig = new Rig({ unknownIntervals: 'omit', engines: [0, 1] });
  const live = rig.request();
  live.output(1, { timestamp: 11.5, events: EVENTS }).output(1, { timestamp: 12 });
  live.output(1, { timestamp: 500_000, engineIndex: 1 }).output(1, { timestamp: 500_002, engineIndex: 1 });
  live.output(1, { timestamp: 12.5 }).output(1, { timestamp: 13.5 });
  live.finish({ timestamp: 500_010, engineIndex: 1 });
  expect(await counts(rig, 'inter_token_latency_seconds')).toEqual([6]);
  expect(await sums(rig, 'inter_token_latency_seconds')).toEqual([3.5]);
  expect(rig.sources()).toEqual(['engineIndex', 'engineIndex', 'engineIndex']);
  const across = ['decode', 'inference'].map((name) => `request_${name}_time_seconds`);
  expect(await counts(rig, ...across, 'request_time_per_output_token_seconds')).toEqual([0, 0, 0]);
  expect(await counts(rig, 'request_queue_time_seconds')).toEqual([1]);
  expect([
    await rig.value('vllm:generation_tokens_total', 0),
    await rig.value('vllm:generation_tokens_total', 1),
  ]).toEqual([7, 0]);
});

/*
 * https://github.com/ai-dynamo/dynamo/issues/1930
 * The other way round: a request all of whose outputs are of one engine, if not of its own, has all its durations.
 */
it('outputs of one engine have known intervals, also if it is not the request’s', async () => {
  const rig = new Rig();
  const live = rig.request({ engineIndex: 0 }).output(1, { timestamp: 13, events: EVENTS, engineIndex: 7 });
  live.finish({ timestamp: 15, engineIndex: 7 });
  const names = ['queue', 'prefill', 'decode', 'inference'].map((name) => `request_${name}_time_seconds`);
  expect(await sums(rig, ...names, 'inter_token_latency_seconds')).toEqual([1, 2, 2, 4, 2]);
  expect(rig.diagnostics).toMatchObject([{ source: 'engineIndex', value: 7, engineIndex: 0 }]);
});

/*
 * https://github.com/vllm-project/vllm/issues/12930
 * An output that does not say whose it is goes by the request's clock; one that says nonsense does too, and is reported.
 */
it.each<[index: unknown, sources: string[]]>([
  [undefined, []],
  [null, []],
  [0n, []],
  [-1, ['engineIndex']],
  ['0', ['engineIndex']],
  [Number.NaN, ['engineIndex']],
])('an output of engine %s is of the request’s', async (engineIndex, sources) => {
  const rig = new Rig();
  const live = rig.request().output(1, { timestamp: 1 });
  live.source.next({ ...engineOutput(1, { timestamp: 3 }), engineIndex: engineIndex as number });
  expect(await sums(rig, 'inter_token_latency_seconds')).toEqual([2]);
  expect(rig.sources()).toEqual(sources);
});

/*
 * A finding of our own: arrivals in seconds, from `performance.now()` or 0 gave a first token after 1.79e9 s, silently.
 */
it.each<[unit: string, arrivalTimeMs: number, isTaken: boolean]>([
  ['epoch ms', 1_790_000_000_000 - 2500, true],
  ['epoch ms of yesterday', 1_790_000_000_000 - 86_400_000, true],
  ['epoch ms of the day before', 1_790_000_000_000 - 86_400_001, false],
  ['epoch seconds', 1_790_000_000, false],
  ['performance.now()', 4321.5, false],
  ['0', 0, false],
  ['epoch microseconds', 1_790_000_000_000_000, false],
])('an arrival in %s', async (_, arrivalTimeMs, isTaken) => {
  const now = vi.spyOn(Date, 'now').mockReturnValue(1_790_000_000_000);
  const rig = new Rig({ clock: undefined });
  const live = rig.request({ arrivalTimeMs });
  now.mockRestore();
  live.finish();
  const [seconds] = await sums(rig, 'time_to_first_token_seconds');
  if (isTaken) expect(Math.round(seconds! - (1_790_000_000_000 - arrivalTimeMs) / 1000)).toBe(0);
  else expect(seconds).toBeLessThan(1);
  expect(rig.sources()).toEqual(isTaken ? [] : ['arrivalTimeMs']);
});

/*
 * A finding of our own: a text prompt's length is known to the engine alone; the terminal families said 0 or 20.
 */
it.each([0, 20, undefined, null])(
  'a prompt told as %s is as long as its engine says',
  async (numPromptTokens) => {
    const rig = new Rig();
    const records = watched(rig);
    const prefillStats = { numPromptTokens: 1500, numComputedTokens: 1500 };
    rig.request({ numPromptTokens }).finish({ prefillStats });
    const names = ['request_prompt_tokens', 'request_prefill_kv_computed_tokens'];
    expect(await sums(rig, ...names)).toEqual([1500, 1500]);
    expect(await rig.value('vllm:prompt_tokens_total')).toBe(1500);
    expect(records).toMatchObject([{ numPromptTokens: 1500 }]);
    expect(rig.sources()).toEqual(numPromptTokens == null ? [] : ['numPromptTokens']);
  },
);

/*
 * https://github.com/kriszyp/msgpackr#options
 * msgpackr decodes 64-bit integers as bigints: a request's counts are numbers by whatever type they come.
 */
it('a request’s counts that are bigints are numbers', async () => {
  const rig = new Rig();
  const prefillStats = {
    numPromptTokens: 9n,
    numComputedTokens: 4n,
    numCachedTokens: 5n,
    numLocalCachedTokens: 3n,
    numExternalCachedTokens: 2n,
  };
  rig
    .request({ numPromptTokens: 9 })
    .finish({ prefillStats: prefillStats as never, numNansInLogits: 1n as never });
  rig.request({ numPromptTokens: 9 }).finish({ numNansInLogits: 0n as never });
  expect(await rig.value('vllm:prompt_tokens_total')).toBe(18);
  expect([await bySource(rig, 'local_compute'), await bySource(rig, 'external_kv_transfer')]).toEqual([
    13, 2,
  ]);
  expect(await rig.value('vllm:corrupted_requests_total')).toBe(1);
  expect(rig.sources()).toEqual([]);
});

/*
 * A finding of our own: `new_token_ids`, the wire's arrays and event maps in snake_case gave 0 and not one diagnostic.
 */
it.each<[what: string, output: unknown, sources: string[]]>([
  ['an output in snake_case', { request_id: 'a', new_token_ids: [1] }, ['outputs']],
  ["an output as the wire's array", ['a', [1]], ['outputs']],
  ['an output without ids', { requestId: 'a' }, ['newTokenIds']],
  ['an output that is empty', {}, ['newTokenIds']],
  [
    'prefill stats in snake_case',
    { newTokenIds: [], prefillStats: { num_prompt_tokens: 4 } },
    ['prefillStats'],
  ],
  ['prefill stats that are empty', { newTokenIds: [], prefillStats: {} }, []],
  ['events in snake_case', { newTokenIds: [], events: [{ event_type: 1, at: 2 }] }, ['events']],
  ['an event that is empty', { newTokenIds: [], events: [{}] }, []],
  ['an event without a type', { newTokenIds: [], events: [{ timestamp: 1 }] }, ['type']],
])('%s', (_, output, sources) => {
  const rig = new Rig();
  rig.request().source.next({ engineIndex: 0, timestamp: 1, output: output as never });
  expect(rig.sources()).toEqual(sources);
});

/*
 * https://github.com/vllm-project/vllm/issues/24382
 * A parent with n = 3 of which two children ever start was never observed.
 */
it('a parent that is closed is observed with the children that have ended, on the engine of the last', async () => {
  const rig = new Rig({ engines: [0, 1] });
  const names = ['request_max_num_generation_tokens', 'request_params_n'];
  const parent = rig.metrics.parallelSampling(3);
  rig.request({ parent }).output(7).abort();
  rig.request({ parent, engineIndex: 1 }).output(2).abort();
  const late = rig.request({ parent }).output(90);
  expect(await counts(rig, ...names)).toEqual([0, 0]);
  parent.close();
  parent.close();
  late.finish();
  expect(await sums(rig, ...names)).toEqual([0, 0]);
  expect([await rig.value(`vllm:${names[0]}_sum`, 1), await rig.value(`vllm:${names[1]}_sum`, 1)]).toEqual([
    7, 3,
  ]);
  expect(await rig.value(`vllm:${names[1]}_count`, 1)).toBe(1);
  expect(await counts(rig, 'request_generation_tokens')).toEqual([2]);
});

/*
 * https://github.com/vllm-project/vllm/issues/24382
 * Closed before any child ended, or after all of them: nothing, and nothing more.
 */
it.each<[children: number, observed: number]>([
  [0, 0],
  [2, 1],
])('a parent of 2 that is closed after %d ends is observed %d times', async (children, observed) => {
  const rig = new Rig();
  const parent = rig.metrics.parallelSampling(2);
  for (let i = 0; i < children; i++) rig.request({ parent }).finish();
  parent.close();
  rig.request({ parent }).finish();
  expect(await counts(rig, 'request_params_n', 'request_max_num_generation_tokens')).toEqual([
    observed,
    observed,
  ]);
});

/*
 * A finding of our own: a request given up while queued had 512 prefill tokens "computed", also where unknown is omitted.
 */
it.each([
  ['zero', [1, 512]],
  ['omit', [0, 0]],
] as const)(
  'a request given up while queued has, by %s, prefill tokens %j',
  async (unknownIntervals, [n, sum]) => {
    const rig = new Rig({ unknownIntervals });
    rig
      .request({ numPromptTokens: 512 })
      .output(0, { events: [{ type: 'queued', timestamp: 1 }] })
      .abort();
    const name = 'request_prefill_kv_computed_tokens';
    expect([...(await counts(rig, name)), ...(await sums(rig, name))]).toEqual([n, sum]);
  },
);

/*
 * A finding of our own: a source whose subscribe throws is an error to its consumer and was an abort in the record.
 */
it('a source whose subscribe throws ends with reason error, and its consumer gets the same error', async () => {
  const rig = new Rig();
  const closed = new Subject<never>();
  closed.unsubscribe();
  const errors: unknown[] = [];
  const request = { numPromptTokens: 1, engineIndex: 0 };
  closed.pipe(withRequestMetrics(rig.metrics, request)).subscribe({ error: (error) => errors.push(error) });
  expect(errors).toMatchObject([{ name: 'ObjectUnsubscribedError' }]);
  expect(await rig.family('vllm:request_success_total')).toMatchObject({
    '{engine="0",finished_reason="error",model_name="m"}': 1,
    '{engine="0",finished_reason="abort",model_name="m"}': 0,
  });
  expect(rig.metrics.inFlight).toBe(0);
});

/*
 * A finding of our own: an async `onDiagnostic` that rejects ended the process.
 */
it('an onDiagnostic that rejects is ignored as one that throws', async () => {
  const unhandled = vi.fn();
  process.on('unhandledRejection', unhandled);
  const rig = new Rig({
    onDiagnostic: async () => {
      throw new Error('host');
    },
  });
  const live = new LiveRequest(rig.metrics, { numPromptTokens: 4, engineIndex: 0, maxTokens: -1 });
  live.finish();
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', unhandled);
  expect(unhandled).not.toHaveBeenCalled();
  expect(live.seen).toEqual(['next 1', 'complete']);
});

/*
 * A finding of our own: `{ length: 5, constructor: Array }` was 5 tokens in one family and 0 in another.
 */
it.each([
  ['an array', [1, 2], 2],
  ['a typed array', new Uint32Array(3), 3],
  ['what Array made, to the eye', { length: 5, constructor: Array }, 5],
  ['a thing with a length', { length: 5 }, 0],
  [
    'an array of half a length',
    new Proxy([1], { get: (of, key) => (key === 'length' ? 2.5 : Reflect.get(of, key)) }),
    0,
  ],
])('%s is as many tokens in every family', async (_, newTokenIds, tokens) => {
  const rig = new Rig();
  const live = rig.request().output(1, { timestamp: 1 });
  const output = { ...engineOutput(0).output, newTokenIds: newTokenIds as number[] };
  rig.batch({ outputs: [output], timestamp: 2 });
  live.source.next({ engineIndex: 0, timestamp: 2, output });
  expect(await rig.value('vllm:generation_tokens_total')).toBe(1 + tokens);
  expect(await sums(rig, 'iteration_tokens_total')).toEqual([tokens]);
});
