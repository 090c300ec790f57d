import { expect, it } from 'vitest';
import { Frontend, preempted, queued, scheduled } from '../support/frontend.js';
import { seen } from '../support/page.js';

/*
 * B15 https://github.com/inference-sim/inference-sim/issues/1095, https://github.com/inference-sim/inference-sim/pull/1138,
 * https://github.com/vllm-project/vllm/issues/8115
 * State was reset on preemption: the second prefill made a second first-token sample, more of them than requests.
 */
it('B15: a preemption in mid-decode is one long inter-token gap, and no stamp moves', async () => {
  const frontend = new Frontend();
  const client = frontend.arrive({ F: 100 });
  client.out({ E: 50.1, F: 100.1, tok: 1, ev: [queued(50), scheduled(50.05)] });
  client.out({ E: 51, F: 101, tok: 1, ev: [preempted(50.2), scheduled(50.8)] });
  client.out({ E: 51.1, F: 101.1, tok: 1, fin: 'length' });

  const page = await frontend.page();
  expect(page.histograms('TTFT', 'ITL', 'QUEUE', 'PREFILL', 'DECODE', 'INFER', 'E2E', 'TPOT')).toEqual({
    TTFT: seen(1, 0.1),
    ITL: seen(2, 1),
    QUEUE: seen(1, 0.05),
    PREFILL: seen(1, 0.05),
    DECODE: seen(1, 1),
    INFER: seen(1, 1.05),
    E2E: seen(1, 1.1),
    TPOT: seen(1, 0.5),
  });
  // 0.1 and 0.9, not any two that add up to 1.
  expect(['0.075', '0.15', '0.75', '1.0'].map((le) => page.bucket('ITL', le))).toEqual([0, 1, 1, 2]);
  expect(page.value('PREEMPT_TOTAL')).toBe(1);
  expect(page.histograms('PREEMPT_HIST')).toEqual({ PREEMPT_HIST: seen(1, 1) });
});

/*
 * B17 https://github.com/vllm-project/vllm/issues/25780
 * Random prompts showed a hit rate of 30 %: rescheduled requests found their own blocks again.
 */
it('B17: preempted look-ups are no look-ups and no hits of the prefix cache', async () => {
  const frontend = new Frontend();
  frontend.step({ prefixCacheStats: { queries: 1000, hits: 0, preemptedQueries: 500, preemptedHits: 480 } });

  const page = await frontend.page();
  expect(page.value('prefix_cache_queries_total')).toBe(1000);
  expect(page.value('prefix_cache_hits_total')).toBe(0);
  expect(page.value('prompt_tokens_cached_by_source_total', { source: 'device' })).toBe(0);
});
