/**
 * Every frame of a real vLLM 0.32.0, through decoder, router and operators: our page grows as its page did, counters
 * exactly, histograms of the engine's clock bucket by bucket, those of the frontend's clock by count. Where our rule is
 * another one, the difference is named, and is exactly that.
 */
import { describe, expect, it } from 'vitest';
import { renderMetrics } from '../../../src/index.js';
import {
  decodeEngineCoreRequest,
  EngineCoreOutputsDecoder,
  encodeEngineCoreRequest,
} from '../../../src/wire/index.js';
import { decodeAbortIds, encodeAbortIds } from '../../../src/wire/requests/abort-ids.js';
import { valuesOn } from '../../support/read-page.js';
import { without } from './abort-records.js';
import { type Capture, messagesOf, readCapture } from './capture.js';
import { growth, unequal } from './page-difference.js';
import { CaptureReplay } from './replay.js';

/** What is now, not what has grown, and what has no wire message. */
const ASIDE = /lora_requests_info|cache_config|num_requests_|kv_cache_usage|sleep_state|^rx_engine/;

const LABELS = 'engine="0",model_name="tiny-random"';

interface Scenario {
  /** Requests whose clients left: vLLM makes no terminal record of them, ours has one each. */
  readonly aborts?: number;
  /** Further differences by our rules; a key that ends in `_bucket` stands for all of its bounds. */
  readonly differs?: Readonly<Record<string, number>>;
  readonly reason?: string;
}

const SCENARIOS: Readonly<Record<string, Scenario>> = {
  plain: {},
  'plain-2': {},
  mfu: {},
  lora: {},
  'prefix-cache': {},
  preemption: {},
  'spec-decode': {},
  'edge/data-parallel': {},
  'edge/n-and-stop': {},
  'edge/many': {
    differs: {
      [`vllm:request_success_total{engine="0",finished_reason="abort",model_name="tiny-random"}`]: 1,
      [`vllm:request_success_total{engine="0",finished_reason="stop",model_name="tiny-random"}`]: -1,
    },
    reason: 'a stop string cut it, which the capture does not tell from a client that leaves',
  },
  'edge/abort': {
    aborts: 5,
    differs: { [`vllm:iteration_tokens_total_sum{${LABELS}}`]: 1 },
    reason: 'every output of a step counts, also one that comes after its request was aborted',
  },
  'edge/embeddings': {
    differs: { [`vllm:time_to_first_token_seconds_count{${LABELS}}`]: -3 },
    reason: 'an output without tokens is no first token',
  },
  'edge/utility': {
    differs: {
      [`vllm:inter_token_latency_seconds_count{${LABELS}}`]: -1,
      'vllm:inter_token_latency_seconds_bucket': -1,
      'vllm:inter_token_latency_seconds_sum': Number.NaN,
      'vllm:request_decode_time_seconds_sum': Number.NaN,
      'vllm:request_inference_time_seconds_sum': Number.NaN,
      'vllm:request_time_per_output_token_seconds_sum': Number.NaN,
    },
    reason: 'the empty output of a pause is no token, and ends no decoding',
  },
};

/** The differences that no rule explains. A rule's NaN stands for a sum that has a test of its own below. */
function unexplained(
  ours: ReadonlyMap<string, number>,
  theirs: ReadonlyMap<string, number>,
  { differs = {} }: Scenario,
) {
  const corrected = new Map(ours);
  for (const key of new Set([...ours.keys(), ...theirs.keys()])) {
    const by = differs[key] ?? differs[key.slice(0, key.indexOf('{'))] ?? 0;
    if (Number.isNaN(by)) corrected.set(key, theirs.get(key) ?? 0);
    else if (by !== 0) corrected.set(key, (ours.get(key) ?? 0) - by);
  }
  return unequal(corrected, theirs);
}

/** Numbers as 32 bits have them. */
function rounded(params: object): object {
  const each = (value: unknown) =>
    typeof value === 'number' && !Number.isInteger(value) ? Math.fround(value) : value;
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, each(value)]));
}

describe.each(Object.entries(SCENARIOS))('a real vLLM 0.32.0: %s', (name, scenario) => {
  const capture = readCapture(name);

  it('grows our page as its own', async () => {
    const replay = new CaptureReplay(capture).run();
    const page = valuesOn(await renderMetrics(replay.registry));
    const names = new Set([...page.keys()].map((key) => key.split('{', 1)[0]!));
    const isWanted = (family: string) => names.has(family) && !ASIDE.test(family);
    const theirs = growth(valuesOn(capture.metricsBefore), valuesOn(capture.metricsAfter), isWanted);
    const ours = growth(new Map(), page, isWanted);
    expect(theirs.size).toBeGreaterThan(150);
    const clients = scenario.aborts === undefined ? [] : replay.aborts;
    expect(clients).toHaveLength(scenario.aborts ?? 0);
    expect(unexplained(without(ours, clients), theirs, scenario)).toEqual([]);
    expect(replay.diagnostics.filter((source) => source !== 'numPromptTokens')).toEqual([]);
  });

  it('has requests and aborts that read as ours, and ours as they do', () => {
    let requests = 0;
    for (const message of messagesOf(capture)) {
      if (message.kind === 'outputs') continue;
      if (message.type === 0) {
        requests++;
        const request = decodeEngineCoreRequest(message.payload);
        // A pooling request has an array where ours has a struct; ours spells defaults out, floats in 32 bits as Rust.
        if (!request.samplingParams) continue;
        const again = decodeEngineCoreRequest(encodeEngineCoreRequest(request));
        expect(again).toMatchObject({ ...request, samplingParams: rounded(request.samplingParams) });
      }
      if (message.type === 1) {
        const ids = decodeAbortIds(message.payload);
        expect(encodeAbortIds(ids)).toEqual(message.payload);
      }
    }
    expect(requests).toBeGreaterThan(2);
  });
});

/** Times and token counts of the outputs of a request that the engine itself gave up. */
function givenUp(capture: Capture): { stamps: number[]; tokens: number } {
  const decoder = new EngineCoreOutputsDecoder();
  const batches = [...messagesOf(capture)].flatMap((message) =>
    message.kind === 'outputs' ? [decoder.decode(message.frames)] : [],
  );
  const outputs = batches.flatMap((batch) =>
    batch.outputs.map((output) => ({ ...output, timestamp: batch.timestamp })),
  );
  const notice = outputs.find(({ finishReason }) => finishReason === 'abort')!;
  const own = outputs.filter(({ requestId }) => requestId === notice.requestId);
  return {
    stamps: own.map(({ timestamp }) => timestamp),
    tokens: own.reduce((sum, { newTokenIds }) => sum + newTokenIds.length, 0),
  };
}

it('a pause without tokens: its sums differ by the time since the last token, to the nanosecond', async () => {
  const capture = readCapture('edge/utility');
  const { stamps, tokens } = givenUp(capture);
  const since = stamps.at(-1)! - stamps.at(-2)!;
  expect(since).toBeGreaterThan(1e-4);
  const page = valuesOn(await renderMetrics(new CaptureReplay(capture).run().registry));
  const [before, after] = [valuesOn(capture.metricsBefore), valuesOn(capture.metricsAfter)];
  const less = (family: string) => {
    const key = `vllm:${family}_seconds_sum{${LABELS}}`;
    return after.get(key)! - before.get(key)! - page.get(key)!;
  };
  expect(less('inter_token_latency')).toBeCloseTo(since, 9);
  expect(less('request_decode_time')).toBeCloseTo(since, 9);
  expect(less('request_inference_time')).toBeCloseTo(since, 9);
  expect(less('request_time_per_output_token')).toBeCloseTo(since / (tokens - 1), 9);
});

it.each(Object.keys(SCENARIOS))(
  '%s: no counter or histogram of its page is missing on ours',
  async (name) => {
    const capture = readCapture(name);
    const page = await renderMetrics(new CaptureReplay(capture).run().registry);
    const growing = (text: string): readonly string[] =>
      text.match(/^# TYPE vllm:\w+ (?:counter|histogram)$/gm) ?? [];
    const ours = growing(page);
    expect(growing(capture.metricsAfter).length).toBeGreaterThan(25);
    expect(growing(capture.metricsAfter).filter((line) => !ours.includes(line))).toEqual([]);
  },
);
