/** Prefill stats: parts count only if each is a count and all add up to the prompt, whatever their sums say. */
import { describe, expect, it } from 'vitest';
import type { PrefillStats } from '../../../src/index.js';
import { Rig } from '../../support/rig.js';

/** The prompt's length by the request itself. */
const OWN = 7;

type Parts = readonly [total: number, computed: number, local: number, external: number];
type Row = readonly [...parts: Parts, cached: number | null | undefined];

const stats = ([total, computed, local, external, cached]: Row): PrefillStats => ({
  numPromptTokens: total,
  numComputedTokens: computed,
  numLocalCachedTokens: local,
  numExternalCachedTokens: external,
  numCachedTokens: cached,
});

async function counted(rig: Rig): Promise<Parts> {
  const bySource = (source: string) =>
    rig.value('vllm:prompt_tokens_by_source_total', 0, `source="${source}"`);
  return (await Promise.all([
    rig.value('vllm:prompt_tokens_total'),
    bySource('local_compute'),
    bySource('local_cache_hit'),
    bySource('external_kv_transfer'),
  ])) as unknown as Parts;
}

/** What a request says that agrees with its engine's total, where that is a count. */
const ownOf = ([total]: Row) => (total >= 0 && total <= 1e200 ? total : OWN);

const prefilled = (row: Row): Rig => {
  const rig = new Rig();
  rig.request({ numPromptTokens: ownOf(row) }).output(1, { prefillStats: stats(row) });
  return rig;
};

const said = (rig: Rig) => rig.diagnostics.map(({ source, message }) => `${source}: ${message}`);

const none = (field: string) => `${field}: expected a count, took none`;
const SUM = 'prefillStats: expected parts that add up to numPromptTokens, took the total alone';

/** Parts that add up in one way or another, and must not count. */
const WRONG: readonly (readonly [row: Row, total: number, messages: readonly string[]])[] = [
  [[-1, -1, 0, 0, 0], OWN, [none('numPromptTokens'), none('numComputedTokens')]],
  [[2e200, 1e200, 1e200, 0, 1e200], OWN, [none('numPromptTokens')]],
  [[3, -1, 4, 0, 4], 3, [none('numComputedTokens')]],
  [[4, 4, -1, 1, 0], 4, [none('numLocalCachedTokens')]],
  [[4, 4, 1, -1, 0], 4, [none('numExternalCachedTokens')]],
  [[4, 4, 2, 0, 0], 4, [SUM]],
  [[4, 2, 3, 1, 2], 4, [SUM]],
  [[5, 4, 0, 0, 0], 5, [SUM]],
  [[2, 4, 2, 0, 2], 2, [SUM]],
];

it.each(WRONG)('the total alone counts of %j: %d', async (row, total, messages) => {
  const rig = prefilled(row);
  expect(await counted(rig)).toEqual([total, 0, 0, 0]);
  expect(said(rig)).toEqual(messages);
});

/** Parts that add up, beside a number of cached tokens that may not. */
const RIGHT: readonly (readonly [row: Row, messages: readonly string[]])[] = [
  [[4, 2, 1, 1, 2], []],
  [[4, 2, 2, 0, null], []],
  [[4, 2, 2, 0, undefined], []],
  [[4, 2, 1, 1, 3], ['numCachedTokens: expected 2, took that']],
  [[4, 2, 1, 1, 0], ['numCachedTokens: expected 2, took that']],
  [[4, 2, 1, 1, -1], [none('numCachedTokens')]],
];

it.each(RIGHT)('the parts count of %j', async (row, messages) => {
  const rig = prefilled(row);
  expect(await counted(rig)).toEqual(row.slice(0, 4));
  expect(said(rig)).toEqual(messages);
});

it('a part that is absent is 0, and the rest need not be said twice', async () => {
  const rig = new Rig();
  const prefillStats = {
    numPromptTokens: 4,
    numComputedTokens: 2,
    numLocalCachedTokens: 2,
    numCachedTokens: 2,
  };
  rig.request().output(1, { prefillStats });
  expect(await counted(rig)).toEqual([4, 2, 2, 0]);
  expect(rig.diagnostics).toEqual([]);
});

it('the first stats count, not those of a later output', async () => {
  const rig = new Rig();
  const live = rig.request({ numPromptTokens: OWN }).output(0, { prefillStats: stats([4, 4, 0, 0, 0]) });
  live.output(1, { timestamp: 1, prefillStats: stats([5, 5, 0, 0, 0]) });
  live.output(1, { timestamp: 2, prefillStats: stats([6, 6, 0, 0, 0]) });
  expect(await counted(rig)).toEqual([4, 4, 0, 0]);
});

it.each<[told: number | null | undefined, stats: PrefillStats, length: number, sources: string[]]>([
  [undefined, { numPromptTokens: 1500, numComputedTokens: 1500 }, 1500, []],
  [null, { numPromptTokens: 1500, numComputedTokens: 1500 }, 1500, []],
  [0, { numPromptTokens: 1500, numComputedTokens: 1500 }, 1500, ['numPromptTokens']],
  [20, { numPromptTokens: 1500, numComputedTokens: 1500 }, 1500, ['numPromptTokens']],
  [20, { numPromptTokens: 1500, numComputedTokens: 7 }, 1500, ['numPromptTokens', 'prefillStats']],
  [20, { numComputedTokens: 20 }, 20, []],
  [20, { numPromptTokens: -1 }, 20, ['numPromptTokens']],
  [undefined, { numPromptTokens: -1 }, 0, ['numPromptTokens']],
  [undefined, {}, 0, []],
])(
  'a prompt told as %s, and by its engine as %j, is %d long everywhere',
  async (told, own, length, sources) => {
    const rig = new Rig();
    const lengths: number[] = [];
    rig.metrics.finishedRequests.subscribe(({ numPromptTokens }) => lengths.push(numPromptTokens));
    rig.request({ numPromptTokens: told }).finish({ prefillStats: own });
    expect(lengths).toEqual([length]);
    for (const name of [
      'request_prompt_tokens_sum',
      'request_prefill_kv_computed_tokens_sum',
      'prompt_tokens_total',
    ])
      expect(await rig.value(`vllm:${name}`)).toBe(length);
    expect(rig.sources()).toEqual(sources);
  },
);

describe('a prefill figure that is no count', () => {
  const whole: PrefillStats = { numPromptTokens: 4, numComputedTokens: 4 };

  it.each([
    ['numPromptTokens', 4],
    ['numComputedTokens', 4],
    ['numLocalCachedTokens', 4],
    ['numExternalCachedTokens', 4],
  ])('%s: is reported once, and the total alone counts', async (field, total) => {
    const rig = new Rig();
    rig.request().output(1, { prefillStats: { ...whole, [field]: -1 } });
    expect(rig.diagnostics).toMatchObject([{ message: 'expected a count, took none', value: -1 }]);
    expect(rig.sources()[0]).toMatch(new RegExp(`${field}$`));
    expect(await rig.value('vllm:prompt_tokens_total')).toBe(total);
    const sources = ['local_compute', 'local_cache_hit', 'external_kv_transfer'];
    const bySource = sources.map((source) =>
      rig.value('vllm:prompt_tokens_by_source_total', 0, `source="${source}"`),
    );
    expect(await Promise.all(bySource)).toEqual([0, 0, 0]);
  });

  it('of all cached tokens is reported, and their parts count', async () => {
    const rig = new Rig();
    rig.request().output(1, { prefillStats: { ...whole, numCachedTokens: 3 } });
    rig.request().output(1, { prefillStats: { ...whole, numCachedTokens: null } });
    rig.request().output(1, { prefillStats: { ...whole, numLocalCachedTokens: null } });
    expect(rig.diagnostics).toMatchObject([{ message: 'expected 0, took that', value: 3 }]);
    expect(rig.sources()[0]).toMatch(/numCachedTokens$/);
    expect(await rig.value('vllm:prompt_tokens_cached_total')).toBe(0);
  });
});

it.each<[PrefillStats, Parts]>([
  [{ numComputedTokens: OWN }, [OWN, OWN, 0, 0]],
  [{ numLocalCachedTokens: OWN }, [OWN, 0, OWN, 0]],
  [{ numExternalCachedTokens: OWN }, [OWN, 0, 0, OWN]],
  [{ numLocalCachedTokens: 3, numExternalCachedTokens: 4 }, [OWN, 0, 3, 4]],
  [{}, [OWN, 0, 0, 0]],
])('one part that is the whole prompt counts, without a total: %j', async (prefillStats, expected) => {
  const rig = new Rig();
  rig.request({ numPromptTokens: OWN }).output(1, { prefillStats });
  expect([await counted(rig), said(rig)]).toEqual([expected, []]);
});

it('a total that is not the request’s own is told with both', async () => {
  const rig = new Rig();
  rig.request({ numPromptTokens: OWN }).output(1, { prefillStats: stats([5, 5, 0, 0, 0]) });
  expect(await counted(rig)).toEqual([5, 5, 0, 0]);
  expect(said(rig)).toEqual(["numPromptTokens: expected 7, the request's own, took the engine's figure"]);
});

describe('prefill_kv_computed_tokens of a request that ends without a token', () => {
  const scheduled = { events: [{ type: 'scheduled', timestamp: 1 }] } as const;
  const prefillStats = stats([OWN, OWN - 2, 2, 0, 2]);

  it.each([
    ['zero', 'while it waits', {}, [1, OWN]],
    ['zero', 'once it is scheduled', scheduled, [1, OWN]],
    ['zero', 'after its prefill', { prefillStats }, [1, OWN - 2]],
    ['omit', 'while it waits', {}, [0, 0]],
    ['omit', 'once it is scheduled', scheduled, [1, OWN]],
    ['omit', 'after its prefill', { prefillStats }, [1, OWN - 2]],
  ] as const)('unknownIntervals %s: %s', (unknownIntervals, _, output, expected) => {
    const rig = new Rig({ unknownIntervals });
    rig.request({ numPromptTokens: OWN }).output(0, output).abort();
    const { requestPrefillKvComputedTokens: computed } = rig.metrics.forEngine(0);
    expect([computed.count, computed.sum]).toEqual(expected);
  });
});
