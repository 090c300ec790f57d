/** Durations between an engine's stamps that are out of order or missing, and figures at their edges. */
import { expect, it } from 'vitest';
import { Rig } from '../../support/rig.js';

type Stamps = readonly [queued: number, scheduled: number, first: number, last: number];
type Durations = readonly [queue: number, prefill: number, decode: number, inference: number];

const FAMILIES = ['queue', 'prefill', 'decode', 'inference'].map(
  (name) => `vllm:request_${name}_time_seconds`,
);

const shown = (rig: Rig, what: string) => Promise.all(FAMILIES.map((name) => rig.value(`${name}_${what}`)));

function served([queued, scheduled, first, last]: Stamps): Rig {
  const rig = new Rig();
  const events = [
    { type: 'queued', timestamp: queued },
    { type: 'scheduled', timestamp: scheduled },
  ] as const;
  rig.request().output(1, { timestamp: first, events }).finish({ timestamp: last });
  return rig;
}

const TOKEN = 'interTokenLatencySeconds';
const [QUEUE, PREFILL, DECODE, INFERENCE] = [
  'requestQueueTimeSeconds',
  'requestPrefillTimeSeconds',
  'requestDecodeTimeSeconds',
  'requestInferenceTimeSeconds',
] as const;

it.each<[stamps: Stamps, durations: Durations, sources: string[]]>([
  [[0, 1, 2, 4], [1, 1, 2, 3], []],
  [[7, 7, 7, 7], [0, 0, 0, 0], []],
  [[0, 5, 4, 6], [5, 0, 2, 1], [PREFILL]],
  [
    [0, 1, 5, 4],
    [1, 4, 0, 3],
    [TOKEN, DECODE],
  ],
  [[5, 1, 2, 4], [0, 1, 2, 3], [QUEUE]],
  [
    [0, 9, 2, 4],
    [9, 0, 2, 0],
    [PREFILL, INFERENCE],
  ],
  [
    [0, 1, 1, 1e300],
    [1, 0, 0, 0],
    [TOKEN, DECODE, INFERENCE],
  ],
  [[-1e300, 1, 1, 2], [0, 0, 1, 1], [QUEUE]],
  [[0, 0, 1e200, 1e200], [0, 1e200, 0, 1e200], []],
  [[Number.NaN, 1, 2, 3], [0, 1, 1, 2], ['events.timestamp']],
])('stamps %j are durations %j', async (stamps, durations, sources) => {
  const rig = served(stamps);
  expect(await shown(rig, 'sum')).toEqual(durations);
  expect(await shown(rig, 'count')).toEqual([1, 1, 1, 1]);
  expect(rig.sources().sort()).toEqual([...sources].sort());
});

it.each([
  ['zero', [1, 1, 1, 1]],
  ['omit', [0, 0, 0, 0]],
] as const)('a request that got nowhere has, by %s, samples %j', async (unknownIntervals, counts) => {
  const rig = new Rig({ unknownIntervals });
  rig.request().abort();
  expect(await shown(rig, 'count')).toEqual(counts);
  expect(await rig.value('vllm:request_time_per_output_token_seconds_count')).toBe(counts[0]);
  expect(rig.diagnostics).toEqual([]);
});

it.each([
  [0, 0, []],
  [1, 1, []],
  [1e200, 1, []],
  [2e200, 0, ['numNansInLogits']],
  ['1', 0, ['numNansInLogits']],
  [Number.NaN, 0, ['numNansInLogits']],
])('%s NaNs in logits make %d corrupted requests', async (numNansInLogits, corrupted, sources) => {
  const rig = new Rig();
  rig.request().finish({ numNansInLogits: numNansInLogits as number });
  expect(await rig.value('vllm:corrupted_requests_total')).toBe(corrupted);
  expect(rig.sources()).toEqual(sources);
});

it('a token with a stamp after one without is no latency of its own', async () => {
  const rig = new Rig();
  const live = rig.request().output(1, { timestamp: Number.NaN });
  live.output(1, { timestamp: 5 }).output(1, { timestamp: 7 });
  expect(await rig.value('vllm:inter_token_latency_seconds_sum')).toBe(2);
  expect(await rig.value('vllm:inter_token_latency_seconds_count')).toBe(2);
  expect(rig.sources()).toEqual(['interTokenLatencySeconds']);
});

it.each([
  [10, 4, 6, 4],
  [4, 4, 0, 4],
  [4, 3, 1, 3],
])(
  'of a prompt of 4, told by its engine as %d with %d computed and %d cached, %d were',
  async (total, own, cached, kv) => {
    const rig = new Rig();
    const prefillStats = { numPromptTokens: total, numComputedTokens: own, numLocalCachedTokens: cached };
    rig.request().finish({ prefillStats });
    expect(await rig.value('vllm:request_prefill_kv_computed_tokens_sum')).toBe(kv);
  },
);

it.each([
  ['in order', 1],
  ['out of order', 9],
])('a request of one token, %s, has one sample of 0 s per token', async (_, scheduled) => {
  const rig = new Rig({ unknownIntervals: 'omit' });
  const events = [
    { type: 'queued', timestamp: 0 },
    { type: 'scheduled', timestamp: scheduled },
  ] as const;
  rig.request().finish({ timestamp: 2, events });
  expect(await rig.value('vllm:request_time_per_output_token_seconds_count')).toBe(1);
  expect(await rig.value('vllm:request_time_per_output_token_seconds_sum')).toBe(0);
});
