/** What two instances of a model share about an engine, and when it is forgotten. */
import { expect, it } from 'vitest';
import { Rig } from '../../support/rig.js';

const STATE = 'sleep_state="discard_all"';

async function isAsleep(rig: Rig, engine: number): Promise<boolean> {
  return (await rig.value('vllm:engine_sleep_state', engine, STATE)) === 1;
}

it('an engine that its last instance gave up starts anew, for the others too', async () => {
  const one = new Rig({ engines: [0, 5] });
  const other = one.sibling({ engines: [0] });
  one.metrics.dispose();
  other.metrics.forEngine(5);
  other.metrics.setSleepState(5, 'discard_all');
  expect(await isAsleep(other, 5)).toBe(true);
});

it('an engine that another instance still knows keeps its state', async () => {
  const one = new Rig({ engines: [5] });
  const other = one.sibling({ engines: [5] });
  one.metrics.setSleepState(5, 'discard_all');
  one.metrics.dispose();
  other.metrics.forEngine(5);
  expect(await isAsleep(other, 5)).toBe(true);
  other.metrics.setSleepState(5, 'awake');
  expect(await isAsleep(other, 5)).toBe(false);
});

it('a model whose last instance left starts anew', async () => {
  const one = new Rig({ engines: [5] });
  one.metrics.removeEngine(5);
  one.metrics.dispose();
  const next = one.sibling();
  expect(await next.family('vllm:num_requests_running')).toEqual({});
  next.metrics.forEngine(5);
  expect(await next.value('vllm:num_requests_running', 5)).toBe(0);
});
