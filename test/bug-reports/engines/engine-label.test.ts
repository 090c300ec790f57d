import { expect, it } from 'vitest';
import { Frontend } from '../support/frontend.js';

/*
 * B36 https://github.com/vllm-project/vllm/pull/21257,
 * https://github.com/kubernetes-sigs/gateway-api-inference-extension/issues/2950
 * The first data-parallel versions recorded as if there were one engine: others were overwritten, merged or dropped.
 */
it('B36: each engine is recorded under its own label, and no total without one is exported', async () => {
  const frontend = new Frontend({ engines: [0, 1] });
  const r1 = frontend.arrive({ engineIndex: 0 });
  const r2 = frontend.arrive({ engineIndex: 1 });
  r2.out({ tok: 2, engine: 1 });
  r1.out({ tok: 1 });
  frontend.step({ numRunningReqs: 1 });
  r2.out({ tok: 3, engine: 1 });
  frontend.step({ numRunningReqs: 7 }, [], 1);
  r1.out({ tok: 1, fin: 'stop' });
  r2.unsubscribe();

  const [first, second] = await Promise.all(['0', '1'].map((engine) => frontend.page({ engine })));
  expect([first!.value('GTOK'), second!.value('GTOK')]).toEqual([2, 5]);
  expect([first!.endings(), second!.endings()]).toEqual([{ stop: 1 }, { abort: 1 }]);
  expect([first!, second!].map((page) => page.value('num_requests_running'))).toEqual([1, 7]);
  // A request that the frontend turns away has no engine yet.
  const withoutEngine = [...first!.samples.keys()].filter((key) => !/engine="[01]"/u.test(key));
  expect(withoutEngine.filter((key) => !key.startsWith('vllm:admission_rejections_total'))).toEqual([]);
});
