/** The fine print of architecture.md §3: what tokens, their stamps and their prefill leave on the page. */
import { describe, expect, it } from 'vitest';
import type { PrefillStats } from '../../../src/index.js';
import { engineOutput } from '../../../src/testing/index.js';
import { Rig } from '../../support/rig.js';

const ITL = 'inter_token_latency_seconds';
const TTFT = 'time_to_first_token_seconds';

async function histogram(rig: Rig, name: string): Promise<[number | undefined, number | undefined]> {
  return [await rig.value(`vllm:${name}_count`), await rig.value(`vllm:${name}_sum`)];
}

/** Total, cached, local compute, local cache, external. */
async function prompt(rig: Rig): Promise<(number | undefined)[]> {
  const bySource = (source: string) =>
    rig.value('vllm:prompt_tokens_by_source_total', 0, `source="${source}"`);
  return Promise.all([
    rig.value('vllm:prompt_tokens_total'),
    rig.value('vllm:prompt_tokens_cached_total'),
    bySource('local_compute'),
    bySource('local_cache_hit'),
    bySource('external_kv_transfer'),
  ]);
}

/** Its total is not the request's own: the engine's counts, and that is said. */
const TOTAL = 'numPromptTokens';
const PARTS = {
  numPromptTokens: 10,
  numComputedTokens: 4,
  numLocalCachedTokens: 5,
  numExternalCachedTokens: 1,
};

describe('prefill stats', () => {
  it.each([
    ['parts that add up', { ...PARTS, numCachedTokens: 6 }, [10, 6, 4, 5, 1], 4, [TOTAL]],
    ['a missing cached total', PARTS, [10, 6, 4, 5, 1], 4, [TOTAL]],
    ['none', undefined, [7, 0, 7, 0, 0], 7, []],
    ['null', null, [7, 0, 7, 0, 0], 7, []],
    [
      'parts that do not add up',
      { ...PARTS, numComputedTokens: 5 },
      [10, 0, 0, 0, 0],
      10,
      [TOTAL, 'prefillStats'],
    ],
    ['an invalid part', { ...PARTS, numLocalCachedTokens: -5 }, [10, 0, 0, 0, 0], 10, 2],
    ['an invalid total', { ...PARTS, numPromptTokens: Number.NaN }, [7, 0, 0, 0, 0], 7, 1],
    ['a wrong cached total', { ...PARTS, numCachedTokens: 9 }, [10, 6, 4, 5, 1], 4, 2],
    ['something else', 5, [7, 0, 7, 0, 0], 7, ['prefillStats']],
  ] as const)('are taken as the rule says: %s', async (_, prefillStats, expected, kvComputed, sources) => {
    const rig = new Rig();
    rig
      .request({ numPromptTokens: 7 })
      .output(1, { prefillStats: prefillStats as unknown as PrefillStats })
      .abort();
    expect(await prompt(rig)).toEqual(expected);
    expect(await histogram(rig, 'request_prefill_kv_computed_tokens')).toEqual([1, kvComputed]);
    expect(typeof sources === 'number' ? rig.sources().length : rig.sources()).toEqual(sources);
  });

  it('are kept from an output without tokens, and counted with the first token', async () => {
    const rig = new Rig();
    const live = rig.request().output(0, { prefillStats: PARTS });
    expect(await prompt(rig)).toEqual([0, 0, 0, 0, 0]);
    live.output(1, { prefillStats: { ...PARTS, numPromptTokens: 99 } }).output(1, { timestamp: 1 });
    expect(await prompt(rig)).toEqual([10, 6, 4, 5, 1]);
    expect(rig.sources()).toEqual([TOTAL]);
  });

  it('are counted with the end of a request that never had a token', async () => {
    const rig = new Rig();
    const live = rig.request().output(0, { prefillStats: PARTS });
    expect(await prompt(rig)).toEqual([0, 0, 0, 0, 0]);
    live.abort();
    expect(await prompt(rig)).toEqual([10, 6, 4, 5, 1]);
    expect(await histogram(rig, 'request_prompt_tokens')).toEqual([1, 10]);
  });
});

describe('token stamps', () => {
  it('give one interval per output with tokens after the first, however many it brings', async () => {
    const rig = new Rig();
    rig.request().output(2, { timestamp: 1 }).output(0, { timestamp: 2 }).output(3, { timestamp: 4 }).abort();
    expect(await histogram(rig, ITL)).toEqual([1, 3]);
    expect(await rig.value('vllm:generation_tokens_total')).toBe(5);
    expect(await histogram(rig, 'request_decode_time_seconds')).toEqual([1, 3]);
    expect(await histogram(rig, 'request_time_per_output_token_seconds')).toEqual([1, 0.75]);
  });

  it('do nothing on an output without tokens', async () => {
    const rig = new Rig();
    rig.request().output(0, { timestamp: 1 }).abort();
    expect([await histogram(rig, TTFT), await histogram(rig, ITL)]).toEqual([
      [0, 0],
      [0, 0],
    ]);
  });

  it.each([undefined, null, Number.NaN, Infinity, '2', {}])(
    'that are unusable are one interval of 0 and move nothing: %s',
    async (timestamp) => {
      for (const unknownIntervals of ['zero', 'omit'] as const) {
        const rig = new Rig({ unknownIntervals });
        const live = rig.request().output(1, { timestamp: 1 });
        live.source.next({ ...engineOutput(1), timestamp: timestamp as number });
        live.output(1, { timestamp: 4 });
        expect(await histogram(rig, ITL)).toEqual([2, 3]);
        expect(rig.sources()).toEqual(['interTokenLatencySeconds']);
      }
    },
  );

  it('that are missing at first stay missing: the next interval is 0, TTFT does not need them', async () => {
    const rig = new Rig();
    rig.nowMs = 2000;
    const live = rig.request({ arrivalTimeMs: 1000 });
    live.output(1, { timestamp: Number.NaN }).output(1, { timestamp: 5 }).output(1, { timestamp: 7 }).abort();
    expect(await histogram(rig, TTFT)).toEqual([1, 1]);
    expect(await histogram(rig, ITL)).toEqual([2, 2]);
    expect(await histogram(rig, 'request_decode_time_seconds')).toEqual([1, 0]);
  });

  it('that go back are an interval of 0 and count as the last', async () => {
    const rig = new Rig();
    rig.request().output(1, { timestamp: 5 }).output(1, { timestamp: 2 }).output(1, { timestamp: 6 });
    expect(await histogram(rig, ITL)).toEqual([2, 4]);
    expect(rig.diagnostics).toMatchObject([{ source: 'interTokenLatencySeconds', value: -3 }]);
  });

  it('with omit take time per output token away with decode', async () => {
    const rig = new Rig({ unknownIntervals: 'omit' });
    rig.request().output(1, { timestamp: Number.NaN }).output(1, { timestamp: 5 }).abort();
    expect(await histogram(rig, 'request_decode_time_seconds')).toEqual([0, 0]);
    expect(await histogram(rig, 'request_time_per_output_token_seconds')).toEqual([0, 0]);
  });
});
