/** What engines in Python are sent by `connectEngines`, what they send, and what the page makes of it. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { EngineCoreRequest } from '../../../src/wire/index.js';
import type { Samples } from '../../support/samples.js';
import { describeWithPython } from './describe-with-python.js';
import { ENGINES, EnginesRig, type Seen, sum, upFrom } from './engines-rig.js';
import type { EngineReport } from './python-engine.js';

const STOP = 0;
const LENGTH = 1;
const ERROR = 3;

const SAMPLING_PARAMS = {
  temperature: 0.7,
  topK: 50,
  seed: Number.MAX_SAFE_INTEGER,
  maxTokens: 300,
  minTokens: 2,
  logitBias: { 7: -1.5 },
  badWordsTokenIds: [[1, 2], [70_000]],
  extraArgs: { ünï: [null, true, 'x'.repeat(300)] },
};

/** Token ids of each width, and each way to end; the engine counts on from the prompt's last token. */
const REQUESTS: readonly (readonly [EngineCoreRequest, reason: number, Seen])[] = [
  [
    { requestId: 'length', promptTokenIds: [1, 2, 3, 126], samplingParams: SAMPLING_PARAMS },
    LENGTH,
    { tokens: upFrom(127, 300), finishReason: 'length' },
  ],
  [
    {
      requestId: 'stop-ü',
      promptTokenIds: new Uint32Array([65_530]),
      samplingParams: { stopTokenIds: [65_540] },
    },
    STOP,
    { tokens: upFrom(65_531, 10), finishReason: 'stop', stopReason: 65_540 },
  ],
  [
    { requestId: 'eos', promptTokenIds: upFrom(0, 100), samplingParams: { eosTokenId: 103 } },
    STOP,
    { tokens: [100, 101, 102, 103], finishReason: 'stop' },
  ],
  [
    { requestId: 'again', promptTokenIds: upFrom(0, 100), priority: -1, cacheSalt: 's' },
    LENGTH,
    { tokens: upFrom(100, 16), finishReason: 'length' },
  ],
  [
    { requestId: 'neither', promptTokenIds: [1], samplingParams: null },
    ERROR,
    { tokens: [], finishReason: 'error' },
  ],
];

/** An id is open on one engine only. */
function idOn(engine: number, { requestId }: EngineCoreRequest): string {
  return `${requestId} ${engine}`;
}

describeWithPython('traffic of engines in Python', () => {
  let rig: EnginesRig;
  let reports: ReadonlyMap<number, EngineReport>;
  let page: Samples;
  const seen = new Map<number, Seen[]>();

  beforeAll(async () => {
    rig = await EnginesRig.start();
    const opened = ENGINES.map(
      (engine) =>
        [
          engine,
          REQUESTS.map(([request]) => rig.open({ ...request, requestId: idOn(engine, request) }, engine)),
        ] as const,
    );
    for (const [engine, streams] of opened) seen.set(engine, await Promise.all(streams));
    reports = await rig.end();
    page = await rig.recording.samples();
  });

  afterAll(() => rig?.close());

  it.each(ENGINES)('brings each consumer the very tokens and the ending that engine %i made', (engine) => {
    expect(seen.get(engine)).toEqual(REQUESTS.map(([, , expected]) => expected));
    const { requests, aborts } = reports.get(engine)!;
    const served = REQUESTS.map(([request]) => requests[idOn(engine, request)]!);
    expect(served.map(({ tokens }) => tokens)).toEqual(REQUESTS.map(([, , { tokens }]) => tokens));
    expect(served.map((each) => each.finish_reason)).toEqual(REQUESTS.map(([, reason]) => reason));
    expect([Object.keys(requests).length, aborts]).toEqual([REQUESTS.length, []]);
    expect([rig.diagnostics, rig.recording.diagnostics, rig.client.skippedMessages]).toEqual([[], [], 0]);
  });

  it.each(ENGINES)('brings engine %i the requests as they were written', (engine) => {
    const { requests } = reports.get(engine)!;
    const { message, params } = requests[`length ${engine}`]!;
    expect(message.length).toBe(21);
    expect(message[5]).toBeCloseTo(Date.now() / 1000, -3);
    expect(params).toMatchObject({
      temperature: Math.fround(0.7),
      top_k: 50,
      seed: Number.MAX_SAFE_INTEGER,
      max_tokens: 300,
      min_tokens: 2,
      logit_bias: { 7: -1.5 },
      _bad_words_token_ids: [[1, 2], [70_000]],
      extra_args: SAMPLING_PARAMS.extraArgs,
    });
    expect(requests[`stop-ü ${engine}`]).toMatchObject({
      prompt: [65_530],
      params: { max_tokens: 16, stop_token_ids: [65_540] },
    });
    expect(requests[`eos ${engine}`]!.params).toMatchObject({ _eos_token_id: 103 });
    const again = requests[`again ${engine}`]!;
    expect([again.message[7], again.message[13], again.cached]).toEqual(['s', -1, 96]);
  });

  it.each(ENGINES)('puts on the page what engine %i says that it sent', (engine) => {
    const { requests, stats } = reports.get(engine)!;
    const scheduled = Object.values(requests).filter((each) => each.scheduled !== null);
    const generated = sum(scheduled.map(({ tokens }) => tokens.length));
    const prompts = sum(scheduled.map(({ prompt }) => prompt.length));
    const cached = sum(scheduled.map((each) => each.cached!));
    expect([scheduled.length, generated, prompts, cached]).toEqual([4, 330, 205, 96]);
    expect(page.value('generation_tokens_total', engine)).toBe(generated);
    expect(page.value('prompt_tokens_total', engine)).toBe(prompts);
    expect(page.value('prompt_tokens_cached_total', engine)).toBe(cached);
    expect(page.value('iteration_tokens_total_sum', engine)).toBe(generated + prompts - cached);
    expect(page.success(engine)).toEqual({ stop: 2, length: 2, error: 1 });
    expect(page.value('time_to_first_token_seconds_count', engine)).toBe(4);
    expect(page.value('inter_token_latency_seconds_count', engine)).toBe(generated - 4);
    const queueTimes = scheduled.map((each) => each.scheduled! - each.queued);
    expect(page.value('request_queue_time_seconds_sum', engine)).toBeCloseTo(sum(queueTimes), 9);
    const lookups = stats.map((each) => each.prefix_cache_stats);
    expect(page.value('prefix_cache_queries_total', engine)).toBe(sum(lookups.map(({ queries }) => queries)));
    expect(page.value('prefix_cache_hits_total', engine)).toBe(sum(lookups.map(({ hits }) => hits)));
  });
});
