import { Registry } from 'prom-client';
import { asyncScheduler, of } from 'rxjs';
import { expect, it } from 'vitest';
import { ServingMetrics, type StatsLogOptions, statsLog, withSchedulerMetrics } from '../../src/index.js';
import { schedulerStats } from '../../src/testing/index.js';

function made(): ServingMetrics {
  return new ServingMetrics({ registry: new Registry(), modelName: 'm' });
}

it('withSchedulerMetrics has recorded a step when it passes it on', () => {
  const metrics = made();
  const step = {
    engineIndex: 1,
    outputs: [],
    timestamp: 0,
    schedulerStats: schedulerStats({ numRunningReqs: 3 }),
  };
  const seen: unknown[] = [];
  of(step)
    .pipe(withSchedulerMetrics(metrics))
    .subscribe((passed) => seen.push(passed, metrics.forEngine(1).numRequestsRunning.value));
  expect(seen).toEqual([step, 3]);
});

it('statsLog takes the longest interval that a timer takes', () => {
  expect(() => statsLog(made(), { every: 2 ** 31 - 1 })).not.toThrow();
  expect(() => statsLog(made(), { every: 2 ** 31 })).toThrow(RangeError);
});

it('statsLog refuses a scheduler without a clock, and options that are none', () => {
  const scheduler = { schedule: asyncScheduler.schedule } as unknown as typeof asyncScheduler;
  expect(() => statsLog(made(), { scheduler })).toThrow(
    'statsLog.scheduler: expected an object with schedule()',
  );
  expect(() => statsLog(made(), 'often' as unknown as StatsLogOptions)).toThrow('statsLog.options: expected');
});
