/** Requests that reach an instance after its end, on an engine it never knew. */
import { expect, it } from 'vitest';
import { Rig } from '../support/rig.js';

function disposed(registryOf = new Rig()): Rig {
  const rig = registryOf.sibling();
  rig.metrics.dispose();
  return rig;
}

it('leave their stream as it is', () => {
  const rig = disposed();
  const live = rig.request({ engineIndex: 9 }).output(1).output(2, { timestamp: 1 });
  live.finish();
  expect(live.seen).toEqual(['next 1', 'next 2', 'next 1', 'complete']);
  expect([rig.diagnostics, rig.metrics.inFlight]).toEqual([[], 0]);
});

it('count for a parent that they share with others', async () => {
  const rig = new Rig();
  const parent = rig.metrics.parallelSampling(2);
  disposed(rig).request({ engineIndex: 9, parent }).output(5).abort();
  rig.request({ parent }).finish();
  expect(await rig.value('vllm:request_params_n_count')).toBe(1);
  expect(await rig.value('vllm:request_max_num_generation_tokens_sum')).toBe(5);
});
