import { expect, it } from 'vitest';
import {
  type KVCacheEvictionEvent,
  type PrefillStats,
  renderMetrics,
  type SchedulerStats,
} from '../../../src/index.js';
import { Frontend, preempted, scheduled } from '../support/frontend.js';
import { type Page, seen } from '../support/page.js';

function bySource(page: Page): readonly (number | undefined)[] {
  const sources = ['local_compute', 'local_cache_hit', 'external_kv_transfer'];
  return sources.map((source) => page.value('prompt_tokens_by_source_total', { source }));
}

// The report leaves out what the wire carries beside it: how many of the 2000 were computed.
const ADMITTED: PrefillStats = {
  numPromptTokens: 2000,
  numComputedTokens: 500,
  numLocalCachedTokens: 1500,
  numExternalCachedTokens: 0,
};

const SECOND_REQUESTS: readonly (readonly [string, PrefillStats])[] = [
  ['as reported', { numPromptTokens: 17_050, numCachedTokens: 768, numExternalCachedTokens: 8448 }],
  [
    'with the negative difference',
    { numPromptTokens: 17_050, numLocalCachedTokens: 768 - 8448, numExternalCachedTokens: 8448 },
  ],
];

/*
 * B24 https://github.com/vllm-project/vllm/pull/37460, https://github.com/vllm-project/vllm/pull/38712,
 * https://github.com/LMCache/LMCache/issues/2912
 * One figure was a snapshot from the first admission, the other refreshed on each: cached minus external came out as
 * -7680 and drove a counter negative.
 */
it.each(SECOND_REQUESTS)('B24: prefill parts count once, and only if they add up, %s', async (_, second) => {
  const frontend = new Frontend();
  const first = frontend.arrive({ numPromptTokens: 2000 });
  first.out({ tok: 1, prefill: ADMITTED });
  const again = { ...ADMITTED, numExternalCachedTokens: 2000 };
  first.out({ tok: 1, ev: [preempted(1), scheduled(2)], prefill: again });
  frontend.arrive({ numPromptTokens: 17_050 }).out({ tok: 1, prefill: second });

  const page = await frontend.page();
  expect(page.value('PTOK')).toBe(19_050);
  expect(bySource(page)).toEqual([500, 1500, 0]);
  expect(frontend.diagnostics).toHaveLength(1);
});

/*
 * B25 https://github.com/vllm-project/vllm/issues/26372, https://github.com/vllm-project/vllm/issues/6642,
 * https://github.com/vllm-project/vllm/pull/10430, https://github.com/vllm-project/vllm/pull/43285
 * A negative increment raised inside the shared output loop and took every running request with it.
 * Our scheduler stats have no generation or preemption delta: both come from outputs, so a negative count stands for it.
 */
it('B25: a negative count is refused and told, the rest of the record and all streams go on', async () => {
  const frontend = new Frontend();
  const clients = [0, 1, 2].map(() => frontend.arrive());
  const reported = { generationDelta: -1, preempted: 2 };
  frontend.step({ ...reported, numRunningReqs: 3, prefixCacheStats: { queries: -1 } } as SchedulerStats);
  for (const client of clients.slice(1)) client.out({ ev: [preempted(1)] });
  for (const client of clients) client.out({ tok: 1, fin: 'stop' }).source.complete();

  const page = await frontend.page();
  expect([page.value('GTOK'), page.value('PREEMPT_TOTAL'), page.value('num_requests_running')]).toEqual([
    3, 2, 3,
  ]);
  expect(frontend.diagnostics.map(({ source, value }) => [source, value])).toEqual([
    ['prefixCacheStats.queries', -1],
  ]);
  expect(
    page.samples.get(
      'rx_engine_metrics_invalid_values_total{model_name="m",source="prefixCacheStats.queries"}',
    ),
  ).toBe(1);
  expect(clients.map(({ values, completed }) => [values.at(-1)?.output.finishReason, completed])).toEqual([
    ['stop', true],
    ['stop', true],
    ['stop', true],
  ]);
});

/*
 * B27 https://github.com/XanderD99/strapi-prometheus/issues/28, https://github.com/prometheus/client_js/issues/150,
 * https://github.com/open-telemetry/opentelemetry-js/issues/3465
 * A NaN duration killed the process in prom-client's `observe`; a NaN increment poisons its counters for good, prints
 * as "Nan", and `inc(undefined)` and `inc(null)` are +1.
 */
it('B27: NaN reaches no counter and no gauge, and the page has no misspelled one', async () => {
  const frontend = new Frontend();
  frontend.step({ kvCacheUsage: 0.25 });
  for (const queries of [Number.NaN, undefined, null, 5])
    frontend.step({ kvCacheUsage: Number.NaN, prefixCacheStats: { queries } });

  const page = await frontend.page();
  expect([page.value('prefix_cache_queries_total'), page.value('kv_cache_usage_perc')]).toEqual([5, 0.25]);
  for (const text of [await frontend.registry.metrics(), await renderMetrics(frontend.registry)])
    expect(text).not.toMatch(/\bNan\b| NaN$/mu);
  const sources = frontend.diagnostics.map(({ source }) => source);
  expect(sources.filter((source) => source === 'prefixCacheStats.queries')).toHaveLength(1);
  expect(sources.filter((source) => source === 'kvCacheUsage')).toHaveLength(4);
});

// The report wants no sample of a broken duration. Ours counts it as 0, told: the identities between counts then hold.
it('B27: a duration that is no number is a sample of 0 and a diagnostic, an absent one is neither', async () => {
  const frontend = new Frontend();
  for (const lifetimeSeconds of [Number.NaN, undefined, Number.POSITIVE_INFINITY, '0.2'])
    frontend.step({ kvCacheEvictionEvents: [{ lifetimeSeconds } as KVCacheEvictionEvent] });

  const page = await frontend.page();
  const of = (suffix: string) => page.value('kv_block_lifetime_seconds', {}, suffix);
  expect([of('_count'), of('_sum')]).toEqual([3, 0]);
  expect(frontend.diagnostics.map(({ value }) => value)).toEqual([
    Number.NaN,
    Number.POSITIVE_INFINITY,
    '0.2',
  ]);
});

it('B27: a handle drops what is no number, and never throws', async () => {
  const frontend = new Frontend();
  const { requestQueueTimeSeconds, generationTokens } = frontend.metrics.forEngine(0);
  const broken = [Number.NaN, undefined, Number.POSITIVE_INFINITY, '0.2', null] as unknown as number[];
  for (const value of broken) requestQueueTimeSeconds.observe(value);
  // `inc()` adds 1, and to JavaScript `inc(undefined)` is the same call.
  for (const value of broken.filter((value) => value !== undefined)) generationTokens.inc(value);

  const page = await frontend.page();
  expect(page.histograms('QUEUE')).toEqual({ QUEUE: seen(0) });
  expect(page.value('GTOK')).toBe(0);
});

/*
 * B28 https://github.com/vllm-project/vllm-ascend/issues/10048
 * One engine's shared-block accounting fell below zero, and autoscalers read -0.3875 as plenty of room.
 */
it('B28: KV-cache usage is held to 0..1, and told', async () => {
  const frontend = new Frontend();
  const shown: (number | undefined)[] = [];
  for (const kvCacheUsage of [-0.3875, 1.0000001, 0.42]) {
    frontend.step({ kvCacheUsage });
    shown.push((await frontend.page()).value('kv_cache_usage_perc'));
  }
  expect(shown).toEqual([0, 1, 0.42]);
  expect(frontend.diagnostics.map(({ value }) => value)).toEqual([-0.3875, 1.0000001]);
});
