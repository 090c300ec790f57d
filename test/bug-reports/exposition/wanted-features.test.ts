import { expect, it } from 'vitest';
import { Frontend, queued, scheduled } from '../support/frontend.js';
import type { Page, Shorthand } from '../support/page.js';

/** A histogram's bounds as the page spells them. */
function bounds(page: Page, family: string): string[] {
  const keys = page.starting(`${family}_bucket`).map(([key]) => /le="([^"]+)"/u.exec(key)![1]!);
  return keys.filter((le) => le !== '+Inf');
}

const REQUEST_LATENCY =
  '0.3 0.5 0.8 1.0 1.5 2.0 2.5 5.0 10.0 15.0 20.0 30.0 40.0 50.0 60.0 120.0 240.0 480.0 960.0 1920.0 7680.0';
const CUSTOM = [0.01, 0.025, 0.05, 0.1, 0.3, 1];

/*
 * B72 https://github.com/vllm-project/vllm/issues/34370, https://github.com/vllm-project/vllm/issues/15167,
 * https://github.com/vllm-project/vllm/pull/48175, https://github.com/vllm-project/vllm/pull/34564
 * Bounds were written into the source, none below 0.3 s and once none above 60 s: percentiles were pinned to a bound,
 * and people patched and rebuilt.
 */
it('B72: the bounds are those of vLLM by default', async () => {
  const frontend = new Frontend();
  frontend.arrive({ F: 0 }).out({ F: 95, tok: 1, fin: 'stop' });

  const page = await frontend.page();
  expect([page.bucket('E2E', '60.0'), page.bucket('E2E', '120.0')]).toEqual([0, 1]);
  expect(bounds(page, 'e2e_request_latency_seconds').join(' ')).toBe(REQUEST_LATENCY);
});

// The report wants bounds per family. Ours come in groups, as vLLM's own --custom-histogram-buckets: its five request
// latencies change together, so that queue, prefill and decode can still be compared bucket by bucket with their total.
it('B72: a group of bounds can be replaced, and the other groups keep theirs', async () => {
  const frontend = new Frontend({ buckets: { requestLatency: CUSTOM } });
  for (let i = 0; i < 100; i++)
    frontend.arrive().out({ E: 2, tok: 1, ev: [queued(1), scheduled(1.02)], fin: 'stop' });

  const page = await frontend.page();
  expect([page.bucket('QUEUE', '0.01'), page.bucket('QUEUE', '0.025')]).toEqual([0, 100]);
  const latencies: readonly Shorthand[] = ['E2E', 'QUEUE', 'PREFILL', 'DECODE', 'INFER'];
  expect(latencies.map((name) => page.bucket(name, '0.025') !== undefined)).toEqual(
    latencies.map(() => true),
  );
  const standard = await new Frontend().page();
  for (const family of [
    'time_to_first_token_seconds',
    'inter_token_latency_seconds',
    'request_prompt_tokens',
  ])
    expect(bounds(page, family)).toEqual(bounds(standard, family));
});
