import { expect, it } from 'vitest';
import { Frontend } from '../support/frontend.js';

const RUNS: readonly (readonly [string, (frontend: Frontend) => void])[] = [
  [
    'stats without outputs',
    (frontend) => frontend.step({ numRunningReqs: 0, numWaitingReqs: 0, kvCacheUsage: 0 }),
  ],
  ['idle(0)', (frontend) => frontend.metrics.idle(0)],
];

/*
 * B39 https://github.com/vllm-project/vllm/issues/29928, https://github.com/vllm-project/vllm/issues/22545
 * Gauges are refreshed by engine steps only, and an idle engine takes none: after a mass cancel they said 106 running
 * for hours, and load balancers kept away.
 */
it.each(RUNS)('B39: gauges go back to 0 after a mass cancel, with %s', async (_, settle) => {
  const frontend = new Frontend();
  const clients = Array.from({ length: 121 }, () => frontend.arrive());
  frontend.step({ numRunningReqs: 106, numWaitingReqs: 15, kvCacheUsage: 0.904 });
  expect((await frontend.page()).value('num_requests_running')).toBe(106);
  for (const client of clients) client.unsubscribe();
  expect(frontend.metrics.inFlight).toBe(0);
  settle(frontend);

  const page = await frontend.page();
  const gauges = ['num_requests_running', 'num_requests_waiting', 'kv_cache_usage_perc'];
  expect(gauges.map((name) => page.value(name))).toEqual([0, 0, 0]);
  expect(page.endings()).toEqual({ abort: 121 });
});

/*
 * B41 https://github.com/vllm-project/vllm/issues/24175, https://github.com/vllm-project/vllm/pull/27867
 * A sleeping engine looked like an idle one; its state was on another endpoint, later only in a developer mode.
 */
it('B41: exactly one sleep state is 1, awake from construction, and counters stay', async () => {
  const frontend = new Frontend();
  frontend.arrive().out({ tok: 12 });
  const shown: (readonly (number | undefined)[])[] = [];
  for (const state of [undefined, 'weights_offloaded', 'awake', 'discard_all', 'awake'] as const) {
    if (state !== undefined) frontend.metrics.setSleepState(0, state);
    const page = await frontend.page();
    const states = ['awake', 'weights_offloaded', 'discard_all'].map((sleep_state) =>
      page.value('engine_sleep_state', { sleep_state }),
    );
    shown.push([...states, page.value('GTOK')]);
  }
  expect(shown).toEqual([
    [1, 0, 0, 12],
    [0, 1, 0, 12],
    [1, 0, 0, 12],
    [0, 0, 1, 12],
    [1, 0, 0, 12],
  ]);
});
