/** Instances, engines and live requests in any order, against a plain model of what the page must show. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SleepState } from '../../../src/index.js';
import type { Rig } from '../../support/rig.js';
import { Fleet } from './fleet.js';
import type { ModelInstance } from './fleet-model.js';

type Step = (fleet: Fleet) => void;

const engine = fc.integer({ min: 0, max: 2 });
const at = fc.nat(20);
const count = fc.nat(9);

/** A step on one of the instances, if there is one. */
function onInstance<T>(
  values: fc.Arbitrary<T>,
  act: (fleet: Fleet, pair: [Rig, ModelInstance], value: T) => void,
) {
  return fc.tuple(at, values).map(
    ([which, value]): Step =>
      (fleet) => {
        const pair = fleet.pick(fleet.instances, which);
        if (pair !== undefined) act(fleet, pair, value);
      },
  );
}

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(fc.constantFrom('a', 'b'), fc.option(fc.uniqueArray(engine), { nil: undefined })).map(
    ([model, engines]): Step =>
      (fleet) =>
        fleet.create(model, engines),
  ),
  onInstance(fc.tuple(engine, fc.constantFrom('', 'x', 'y')), (fleet, pair, [index, lora]) =>
    fleet.start(pair, index, lora),
  ),
  fc.tuple(at, fc.boolean()).map(
    ([which, stop]): Step =>
      (fleet) => {
        const live = fleet.pick(fleet.live, which);
        if (live !== undefined) fleet.end(live, stop);
      },
  ),
  at.map(
    (which): Step =>
      (fleet) => {
        const pair = fleet.pick(fleet.live, which);
        pair?.[0].output(0, {
          events: [{ type: pair[1].running ? 'preempted' : 'scheduled', timestamp: 1 }],
        });
        if (pair !== undefined) pair[1].running = !pair[1].running;
      },
  ),
  onInstance(fc.tuple(engine, count), ({ model }, [rig, instance], [index, running]) => {
    rig.stats({ numRunningReqs: running }, index);
    const known = model.engine(instance, index, false);
    if (known !== undefined && !known.removed) known.running = running;
  }),
  onInstance(engine, ({ model }, [rig, instance], index) => {
    rig.batch({ engineIndex: index, outputs: [{ requestId: 'r', newTokenIds: [1] }] });
    model.engine(instance, index, false);
  }),
  onInstance(engine, ({ model }, [rig, instance], index) => {
    rig.metrics.forEngine(index);
    model.engine(instance, index, true);
  }),
  onInstance(engine, ({ model }, [rig, instance], index) => {
    rig.metrics.removeEngine(index);
    model.remove(instance, index);
  }),
  onInstance(
    fc.tuple(engine, fc.constantFrom<SleepState>('awake', 'weights_offloaded', 'discard_all')),
    ({ model }, [rig, instance], [index, state]) => {
      rig.metrics.setSleepState(index, state);
      const known = model.engine(instance, index, false);
      if (known !== undefined && !known.removed) known.sleep = state;
    },
  ),
  onInstance(fc.tuple(engine, fc.constantFrom(16, 32)), ({ model }, [rig, instance], [index, size]) => {
    rig.metrics.setCacheConfig(index, { block_size: size });
    const known = model.engine(instance, index, false);
    if (known !== undefined && !known.removed) known.cacheConfig = String(size);
  }),
  onInstance(fc.constant(0), ({ model }, [rig, instance]) => {
    rig.metrics.idle();
    if (instance.disposed) return;
    for (const known of model.enginesOf(instance.model).values())
      if (known.inFlight.has(instance)) known.running = 0;
  }),
  onInstance(fc.constant(0), ({ model }, [rig, instance]) => {
    rig.metrics.dispose();
    model.dispose(instance);
  }),
  fc.constant((fleet: Fleet) => {
    fleet.registry.resetMetrics();
    fleet.model.reset();
  }),
);

describe('any order of instances, engines and requests', () => {
  it('shows on the page what a plain model says, and nothing once all are gone', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const fleet = new Fleet();
        for (const act of steps) {
          act(fleet);
          for (const [rig, instance] of fleet.instances) {
            const live = [...fleet.model.requests].filter((request) => request.instance === instance).length;
            expect(rig.metrics.inFlight).toBe(instance.disposed ? 0 : live);
          }
        }
        const sorted = (page: Map<string, number>) => [...page].sort(([a], [b]) => (a < b ? -1 : 1));
        expect(sorted(await fleet.page())).toEqual(sorted(fleet.model.page()));
        for (const [rig] of fleet.instances) rig.metrics.dispose();
        expect(fleet.registry.getMetricsAsArray()).toEqual([]);
        for (const [live] of fleet.live) live.abort();
      }),
      { numRuns: 500 },
    );
  }, 60_000);
});
