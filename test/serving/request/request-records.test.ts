/** The fine print of architecture.md §3, case by case: what one request leaves on the page. */
import { describe, expect, it } from 'vitest';
import type { FinishReason, RequestInfo } from '../../../src/index.js';
import { OMITTABLE, PER_PARENT, TERMINAL } from '../../model/identities.js';
import type { LiveRequest } from '../../support/rig.js';
import { Rig } from '../../support/rig.js';

const ALL = [...TERMINAL, ...PER_PARENT, ...OMITTABLE];

/** Count and sum of a histogram. */
async function histogram(rig: Rig, name: string): Promise<[number | undefined, number | undefined]> {
  return [await rig.value(`vllm:${name}_count`), await rig.value(`vllm:${name}_sum`)];
}

const counts = (rig: Rig, names: readonly string[]) =>
  Promise.all(names.map(async (name) => (await histogram(rig, name))[0]));

const ENDINGS: readonly [reason: FinishReason, how: string, end: (live: LiveRequest) => void][] = [
  ['stop', 'a finish reason', (live) => live.output(1, { finishReason: 'stop' })],
  ['length', 'a finish reason without tokens', (live) => live.output(0, { finishReason: 'length' })],
  ['repetition', 'another one', (live) => live.output(0, { finishReason: 'repetition' })],
  ['error', "the engine's error", (live) => live.output(0, { finishReason: 'error' })],
  ['error', 'a reason that is none', (live) => live.output(0, { finishReason: 'toString' as FinishReason })],
  ['error', "the source's error", (live) => live.source.error(new Error('e'))],
  ['abort', 'completion', (live) => live.source.complete()],
  ['abort', 'unsubscribe', (live) => live.abort()],
];

describe('the terminal record', () => {
  it.each(ENDINGS)('is one of the same samples with every ending: %s by %s', async (reason, _, end) => {
    const rig = new Rig();
    const live = rig.request();
    end(live);
    live.output(1).abort();
    expect(await counts(rig, ALL)).toEqual(ALL.map(() => 1));
    expect(await rig.value('vllm:request_success_total', 0, `finished_reason="${reason}"`)).toBe(1);
    const all = Object.values(await rig.family('vllm:request_success_total'));
    expect(all.reduce((sum, n) => sum + n, 0)).toBe(1);
  });

  it.each([
    [undefined, [0, 0], []],
    [null, [0, 0], []],
    [0, [1, 0], []],
    [64, [1, 64], []],
    [-1, [0, 0], ['maxTokens']],
    [1.5, [0, 0], ['maxTokens']],
    ['64', [0, 0], ['maxTokens']],
    [Number.NaN, [0, 0], ['maxTokens']],
  ])('has max_tokens only if it is a number: %s', async (maxTokens, expected, sources) => {
    const rig = new Rig();
    rig.request({ maxTokens: maxTokens as number }).abort();
    expect([await histogram(rig, 'request_params_max_tokens'), rig.sources()]).toEqual([expected, sources]);
  });

  it('counts preemptions, zero included, and corrupted requests once, aborted ones too', async () => {
    const rig = new Rig();
    rig.request().abort();
    const live = rig.request();
    for (const numNansInLogits of [0, 3, 5]) live.output(1, { numNansInLogits });
    live.output(0, {
      events: Array.from({ length: 2 }, () => ({ type: 'preempted', timestamp: 1 }) as const),
    });
    expect(await rig.value('vllm:corrupted_requests_total')).toBe(0);
    live.abort();
    expect(await rig.value('vllm:corrupted_requests_total')).toBe(1);
    expect(await histogram(rig, 'request_num_preemptions')).toEqual([2, 2]);
    expect(await rig.value('vllm:num_preemptions_total')).toBe(2);
  });

  it('takes an unknown duration as 0, or as no sample with omit', async () => {
    const [zero, omit] = [new Rig(), new Rig({ unknownIntervals: 'omit' })];
    for (const rig of [zero, omit]) rig.request().abort();
    expect(await counts(zero, OMITTABLE)).toEqual(OMITTABLE.map(() => 1));
    expect(await counts(omit, OMITTABLE)).toEqual(OMITTABLE.map(() => 0));
    const known = [...TERMINAL, ...PER_PARENT];
    expect(await counts(omit, known)).toEqual(known.map(() => 1));
    // Given up while queued: nothing is known of its prefill.
    expect(await counts(omit, ['request_prefill_kv_computed_tokens'])).toEqual([0]);
  });

  it('takes time 0 as a time', async () => {
    const rig = new Rig({ unknownIntervals: 'omit' });
    const events = (['queued', 'scheduled'] as const).map((type) => ({ type, timestamp: 0 }));
    rig.request().output(1, { timestamp: 0, events }).finish({ timestamp: 2 });
    expect(await counts(rig, OMITTABLE)).toEqual(OMITTABLE.map(() => 1));
    expect(await histogram(rig, 'request_decode_time_seconds')).toEqual([1, 2]);
  });
});

describe('events', () => {
  it.each([
    ['the last QUEUED before the first SCHEDULED', ['queued 1', 'queued 3', 'scheduled 7'], 4],
    ['not a QUEUED after it', ['queued 1', 'scheduled 7', 'queued 9'], 6],
    ['the first SCHEDULED', ['queued 1', 'scheduled 2', 'preempted 3', 'scheduled 9'], 1],
    ['nothing without a QUEUED', ['scheduled 7'], 0],
    ['0 for one that goes back', ['queued 5', 'scheduled 2'], 0],
  ])('queue time takes %s', async (_, texts, expected) => {
    const rig = new Rig();
    const events = texts.map((text) => {
      const [type, timestamp] = text.split(' ');
      return { type: type as 'queued', timestamp: Number(timestamp) };
    });
    rig.request().output(0, { events }).abort();
    expect(await histogram(rig, 'request_queue_time_seconds')).toEqual([1, expected]);
  });
});

describe('the reason of an unsubscribe', () => {
  const throws = () => {
    throw new Error('host');
  };

  it.each([
    ['stop', () => 'stop', []],
    ['length', () => 'length', []],
    ['abort', () => 'toString', ['unsubscribeReason']],
    ['abort', () => undefined, ['unsubscribeReason']],
    ['abort', throws, ['unsubscribeReason']],
    ['abort', 5, ['unsubscribeReason']],
  ])('is %s by the word of the request', async (reason, unsubscribeReason, sources) => {
    const rig = new Rig();
    rig.request({ unsubscribeReason } as Partial<RequestInfo>).abort();
    expect(await rig.value('vllm:request_success_total', 0, `finished_reason="${reason}"`)).toBe(1);
    expect(rig.sources()).toEqual(sources);
  });
});
