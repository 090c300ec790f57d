import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { renderMetrics } from '../../../src/index.js';
import { readFixture } from '../../support/fixtures.js';
import type { RecordingOptions } from '../../support/recording.js';
import { Frontend, inFormat, OPEN_METRICS, TEXT } from '../support/frontend.js';
import { NONE, type Page, seen } from '../support/page.js';

function sampleNames(page: string, family: string): string[] {
  const names = page.split('\n').map((line) => /^[^{ ]+/u.exec(line)?.[0] ?? '');
  return [...new Set(names.filter((name) => name.startsWith(`vllm:${family}`)))].sort();
}

/*
 * B49 https://github.com/prometheus/client_js/pull/829, https://github.com/prometheus/client_js/issues/410
 * prom-client strips `_total` from a counter's stored name while it writes OpenMetrics, and leaves it so: one scrape
 * renamed counters for all later ones, and lookups by name missed.
 */
it.each([TEXT, OPEN_METRICS])(
  'B49: counters keep their name on the wire in every format, %s',
  async (contentType) => {
    const registry = inFormat(new Registry(), contentType);
    const frontend = new Frontend({ registry });
    const client = frontend.arrive().out({ tok: 2 });
    const before = await registry.metrics();
    expect(before).toContain('vllm:generation_tokens_total{model_name="m",engine="0"} 2\n');
    expect(sampleNames(before, 'generation_tokens')).toEqual(['vllm:generation_tokens_total']);
    expect(sampleNames(before, 'iteration_tokens')).toEqual([
      'vllm:iteration_tokens_total_bucket',
      'vllm:iteration_tokens_total_count',
      'vllm:iteration_tokens_total_sum',
    ]);

    client.out({ tok: 3 });
    inFormat(registry, contentType === TEXT ? OPEN_METRICS : TEXT);
    for (const page of [await registry.metrics(), await registry.metrics()])
      expect(page).toContain('vllm:generation_tokens_total{model_name="m",engine="0"} 5\n');
  },
);

interface Recorded {
  readonly families: readonly { readonly name: string; readonly type: string }[];
}

it.each([TEXT, OPEN_METRICS])(
  'B49: counters are named as on a recorded page of vLLM, %s',
  async (contentType) => {
    const { families } = readFixture<Recorded>('vllm/scrape-contract-vllm-0.29.json');
    const recorded = families.filter(({ name, type }) => type === 'counter' && name.startsWith('vllm:'));
    const frontend = new Frontend({ registry: inFormat(new Registry(), contentType) });
    const names = new Set(sampleNames(await frontend.registry.metrics(), ''));

    expect(recorded.length).toBeGreaterThan(10);
    expect(recorded.map(({ name }) => name).filter((name) => !names.has(name))).toEqual([]);
  },
);

it('B49: so they do on the page of renderMetrics, whichever format came before', async () => {
  const registry = inFormat(new Registry(), OPEN_METRICS);
  const client = new Frontend({ registry }).arrive().out({ tok: 2 });
  const openMetrics = await renderMetrics(registry);
  expect(openMetrics).toContain('\nvllm:generation_tokens_total{engine="0",model_name="m"} 2.0\n');
  expect(openMetrics).toMatch(/\n# EOF\n$/u);

  client.out({ tok: 3 });
  const text = await renderMetrics(inFormat(registry, TEXT));
  expect(text).toContain('\nvllm:generation_tokens_total{engine="0",model_name="m"} 5.0\n');
  expect(text).toContain('\n# TYPE vllm:iteration_tokens_total histogram\n');
  expect(text).not.toContain('# EOF');
});

/*
 * B51 https://github.com/kubernetes-sigs/gateway-api-inference-extension/pull/1905,
 * https://github.com/kubernetes-sigs/inference-perf/pull/277, https://github.com/llm-d/llm-d-inference-sim/pull/307
 * The cache-usage gauge and the per-token histogram were renamed, and routers read nothing until each was patched.
 * The report wants both names exported on request. Upstream has dropped the old ones for good (2025-11, 2026-01), and
 * our page is that of today's vLLM: the contract tests refuse names that upstream no longer has.
 */
it("B51: the names are those of today's vLLM, the old ones are not on the page", async () => {
  const frontend = new Frontend();
  frontend.step({ kvCacheUsage: 0.4 });
  frontend.arrive().out({ E: 1, tok: 1 }).out({ E: 2, tok: 1 }).out({ E: 3, tok: 1, fin: 'stop' });

  const page = await frontend.page();
  expect(page.value('kv_cache_usage_perc')).toBe(0.4);
  expect(page.histograms('ITL')).toEqual({ ITL: seen(2, 2) });
  expect([
    ...page.starting('gpu_cache_usage_perc'),
    ...page.starting('time_per_output_token_seconds'),
  ]).toEqual([]);
});

it('B51: a legacyNames option is refused by name, not ignored', () => {
  const options = { legacyNames: true } as RecordingOptions;
  expect(() => new Frontend(options)).toThrow(/legacyNames/u);
});

const REASONS = ['stop', 'length', 'abort', 'error', 'repetition'];

function expectZeros(page: Page): void {
  const endings = REASONS.map((finished_reason) => page.value('SUCCESS', { finished_reason }));
  expect(endings).toEqual([0, 0, 0, 0, 0]);
  expect([page.value('PTOK'), page.value('GTOK'), page.value('PREEMPT_TOTAL')]).toEqual([0, 0, 0]);
  const perRequest = ['TTFT', 'ITL', 'TPOT', 'E2E', 'QUEUE', 'PREFILL', 'DECODE', 'INFER'] as const;
  const counts = ['PROMPT_HIST', 'GEN_HIST', 'PREEMPT_HIST', 'NPARAM', 'MAXGEN', 'MAXTOK', 'ITER'] as const;
  for (const histogram of Object.values(page.histograms(...perRequest, ...counts)))
    expect(histogram).toEqual(NONE);
}

/*
 * B52 https://github.com/prometheus/client_js/issues/438, https://github.com/prometheus/client_js/issues/63,
 * https://github.com/prometheus/client_js/issues/455
 * A labelled series is not there until its first use, so `rate` and `increase` never see the first error or abort.
 */
it('B52: every fixed series is on the page at 0 before any traffic', async () => {
  const frontend = new Frontend({ engines: [0, 1] });
  for (const engine of ['0', '1']) expectZeros(await frontend.page({ engine }));
});
