import { expect, it } from 'vitest';
import { engineOutput } from '../../../src/testing/index.js';
import { odd, serve } from './serve.js';

interface Counted {
  readonly total: number;
  readonly computed?: number;
  readonly local?: number;
  readonly external?: number;
  readonly cached?: number;
  /** Prompt tokens of the request are 9; a valid figure of the engine's stands in their place, with a diagnostic. */
  readonly kvComputed: number;
}

const parts = (total: unknown, computed: unknown, local: unknown, external: unknown, cached?: unknown) => ({
  numPromptTokens: total,
  numComputedTokens: computed,
  numLocalCachedTokens: local,
  numExternalCachedTokens: external,
  ...(cached !== undefined && { numCachedTokens: cached }),
});

type Row = readonly [string, prefillStats: unknown, counted: Counted, invalid: Record<string, number>];

const rows: readonly Row[] = [
  ['absent: the prompt as computed here', undefined, { total: 9, computed: 9, kvComputed: 9 }, {}],
  [
    'parts that add up',
    parts(9, 4, 2, 3, 5),
    { total: 9, computed: 4, local: 2, external: 3, cached: 5, kvComputed: 4 },
    {},
  ],
  [
    'its prompt, not the request’s',
    parts(20, 14, 2, 4, 6),
    { total: 20, computed: 14, local: 2, external: 4, cached: 6, kvComputed: 14 },
    { numPromptTokens: 1 },
  ],
  [
    'more cached than the request’s prompt: the engine’s counts',
    parts(20, 1, 19, 0, 19),
    { total: 20, computed: 1, local: 19, cached: 19, kvComputed: 1 },
    { numPromptTokens: 1 },
  ],
  [
    'a cached figure that is absent',
    parts(9, 4, 2, 3),
    { total: 9, computed: 4, local: 2, external: 3, cached: 5, kvComputed: 4 },
    {},
  ],
  [
    'a cached figure that disagrees',
    parts(9, 4, 2, 3, 8),
    { total: 9, computed: 4, local: 2, external: 3, cached: 5, kvComputed: 4 },
    { numCachedTokens: 1 },
  ],
  [
    'a cached figure that is unusable',
    parts(9, 4, 2, 3, Number.NaN),
    { total: 9, computed: 4, local: 2, external: 3, cached: 5, kvComputed: 4 },
    { numCachedTokens: 1 },
  ],
  [
    'parts that do not add up: the total alone',
    parts(12, 4, 2, 3, 5),
    { total: 12, kvComputed: 12 },
    { numPromptTokens: 1, prefillStats: 1 },
  ],
  [
    'an unusable part: the total alone',
    parts(12, -4, 2, 3, 5),
    { total: 12, kvComputed: 12 },
    { numPromptTokens: 1, numComputedTokens: 1 },
  ],
  [
    'two unusable parts',
    parts(12, 7, Number.NaN, '3', 5),
    { total: 12, kvComputed: 12 },
    { numPromptTokens: 1, numLocalCachedTokens: 1, numExternalCachedTokens: 1 },
  ],
  [
    'an unusable total: the request’s',
    parts(Number.POSITIVE_INFINITY, 4, 2, 3, 5),
    { total: 9, kvComputed: 9 },
    { numPromptTokens: 1 },
  ],
  [
    'an absent total says nothing of the length: parts that add up to the request’s',
    parts(undefined, 4, 2, 3, 5),
    { total: 9, computed: 4, local: 2, external: 3, cached: 5, kvComputed: 4 },
    {},
  ],
  [
    'an absent total, and parts that add up to something else',
    parts(undefined, 4, 2, 2, 4),
    { total: 9, kvComputed: 9 },
    { prefillStats: 1 },
  ],
  [
    'absent parts are 0',
    { numPromptTokens: 9, numComputedTokens: 9 },
    { total: 9, computed: 9, kvComputed: 9 },
    {},
  ],
  ['no fields at all', {}, { total: 9, computed: 0, kvComputed: 9 }, {}],
  [
    'fields of other names',
    { num_prompt_tokens: 9, num_computed_tokens: 9 },
    { total: 9, kvComputed: 9 },
    { prefillStats: 1 },
  ],
  ['the wire’s array', [9, 9, 0, 0, 0, 0], { total: 9, kvComputed: 9 }, { prefillStats: 1 }],
  [
    'bigints',
    parts(9n, 4n, 2n, 3n, 5n),
    { total: 9, computed: 4, local: 2, external: 3, cached: 5, kvComputed: 4 },
    {},
  ],
  ['no object', 'nine', { total: 9, computed: 9, kvComputed: 9 }, { prefillStats: 1 }],
  [
    'figures beyond any engine’s',
    parts(1e300, 1e300, 0, 0, 0),
    { total: 9, kvComputed: 9 },
    { numPromptTokens: 1, numComputedTokens: 1 },
  ],
];

const counters = (page: Awaited<ReturnType<typeof serve>>['page']): Counted => {
  const source = (name: string) => page.value('prompt_tokens_by_source_total', 0, { source: name })!;
  return {
    total: page.value('prompt_tokens_total')!,
    computed: source('local_compute'),
    local: source('local_cache_hit'),
    external: source('external_kv_transfer'),
    cached: page.value('prompt_tokens_cached_total')!,
    kvComputed: page.histogram('request_prefill_kv_computed_tokens')[1]!,
  };
};

it.each(rows)('counts the prompt by the rules: %s', async (_name, prefillStats, counted, invalid) => {
  const served = await serve([odd({ prefillStats })]);
  expect(counters(served.page)).toEqual({ computed: 0, local: 0, external: 0, cached: 0, ...counted });
  expect(served.invalid).toEqual(invalid);
});

it('keeps the first stats, also of an output without tokens, and counts them with the first token or the end', async () => {
  const first = {
    ...engineOutput(0),
    output: { ...engineOutput(0).output, prefillStats: parts(9, 4, 5, 0, 5) },
  };
  const alone = await serve([first as never]);
  expect(counters(alone.page)).toEqual({
    total: 9,
    computed: 4,
    local: 5,
    external: 0,
    cached: 5,
    kvComputed: 4,
  });
  const later = odd({ prefillStats: parts(9, 9, 0, 0, 0) });
  const { page } = await serve([first as never, later, later]);
  expect(counters(page)).toEqual({ total: 9, computed: 4, local: 5, external: 0, cached: 5, kvComputed: 4 });
});

it('takes later stats if the first were no object, and none after the first token', async () => {
  const { page, invalid } = await serve([
    odd({ newTokenIds: [], prefillStats: 7 }),
    odd({ prefillStats: parts(9, 4, 5, 0, 5) }),
  ]);
  expect(counters(page)).toMatchObject({ total: 9, computed: 4, local: 5 });
  expect(invalid).toEqual({ prefillStats: 1 });
  const late = await serve([odd({}), odd({ timestamp: 2, prefillStats: parts(9, 4, 5, 0, 5) })]);
  expect(counters(late.page)).toMatchObject({ total: 9, computed: 9, local: 0 });
});
