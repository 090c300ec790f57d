/** What an instance remembers: adapters up to a number, models and gauges until it goes. */
import { expect, it } from 'vitest';
import { OVERFLOW_ADAPTER } from '../../../src/serving/engines/lora.js';
import { RegistryModels } from '../../../src/serving/engines/registry-models.js';
import { Rig } from '../../support/rig.js';
import { adapters, event } from './lora/lora-rig.js';

/** A rig whose adapters are as many as it may follow, the first of them running. */
function full(): Rig {
  const rig = new Rig();
  event(rig.request({ loraName: 'a0' }), 'scheduled');
  for (let i = 1; i < 1024; i++) rig.request({ loraName: `a${i}` });
  return rig;
}

it.each(['a0', 'a1'])('an adapter that is known is followed when no new one is: %s', (loraName) => {
  const rig = full();
  rig.request({ loraName });
  expect(rig.diagnostics).toEqual([]);
});

it('a request without an adapter needs no place among them', async () => {
  const rig = full();
  const before = await adapters(rig);
  rig.request();
  expect(rig.diagnostics).toEqual([]);
  expect(await adapters(rig)).toEqual(before);
});

it('waiting and running adapters count together', async () => {
  const rig = full();
  rig.request({ loraName: 'new' });
  const message = 'expected fewer live adapters, counted it under other';
  expect(rig.diagnostics).toMatchObject([{ source: 'loraName', message, value: 'new' }]);
  const [waiting] = (await adapters(rig))!;
  expect([waiting.split(',').length, waiting.split(',').at(-1)]).toEqual([1024, OVERFLOW_ADAPTER]);
});

it('a model is forgotten with the last instance that serves it', () => {
  const state = new RegistryModels();
  const [one, other] = [{ draftPositionsGrew() {} }, { draftPositionsGrew() {} }];
  const model = state.join('m', one, 'engine');
  expect(state.join('m', other, 'engine')).toBe(model);
  state.leave(model, one);
  expect([...state.models.keys()]).toEqual(['m']);
  state.leave(model, one);
  expect([...state.models.keys()]).toEqual(['m']);
  state.leave(model, other);
  expect(state.models.size).toBe(0);
});

it('a request that outlives its instance takes nothing off the gauge', () => {
  const rig = new Rig({ engines: [0] });
  const { requestsInFlight } = rig.metrics.forEngine(0);
  const live = rig.request();
  rig.metrics.dispose();
  live.finish();
  expect(requestsInFlight.value).toBe(0);
});
