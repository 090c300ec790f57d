import { Registry } from 'prom-client';
import { Subject, VirtualTimeScheduler } from 'rxjs';
import { expect, it } from 'vitest';
import { ServingMetrics, type StatsLogEntry, statsLog, withRequestMetrics } from '../../src/index.js';
import { engineOutput } from '../../src/testing/index.js';

function logOf(metrics: ServingMetrics, scheduler: VirtualTimeScheduler): StatsLogEntry[] {
  const entries: StatsLogEntry[] = [];
  const log = statsLog(metrics, { every: 1000, scheduler }).subscribe((entry) => {
    entries.push(entry);
    log.unsubscribe();
  });
  return entries;
}

it('leaves the history that another instance made on an engine out of a log that meets it later', () => {
  const registry = new Registry();
  const options = { registry, modelName: 'm' };
  const one = new ServingMetrics({ ...options, engines: [0] });
  const other = new ServingMetrics({ ...options, engines: [1] });
  const scheduler = new VirtualTimeScheduler();
  const entries = logOf(other, scheduler);
  one.forEngine(0).generationTokens.inc(5000);
  other.forEngine(0).generationTokens.inc(7);
  scheduler.flush();
  expect(entries.map(({ stats }) => stats.generationThroughput)).toEqual([7]);
});

it('does not make terminal records allocate for finishedRequests', () => {
  const metrics = new ServingMetrics({ registry: new Registry(), modelName: 'm', engines: [0] });
  const log = statsLog(metrics, { scheduler: new VirtualTimeScheduler() }).subscribe();
  expect(metrics.core.finished.observed).toBe(false);
  log.unsubscribe();
});

it('completes at once for an instance that was disposed', () => {
  const metrics = new ServingMetrics({ registry: new Registry(), modelName: 'm', engines: [0] });
  metrics.dispose();
  const completed = new Subject<string>();
  const seen: string[] = [];
  completed.subscribe((value) => seen.push(value));
  statsLog(metrics).subscribe({ complete: () => completed.next('complete') });
  expect(seen).toEqual(['complete']);
});

it('records nothing for an engine that only a log knows', () => {
  const metrics = new ServingMetrics({ registry: new Registry(), modelName: 'm' });
  const scheduler = new VirtualTimeScheduler();
  const entries = logOf(metrics, scheduler);
  const source = new Subject<ReturnType<typeof engineOutput>>();
  source.pipe(withRequestMetrics(metrics, { numPromptTokens: 3, engineIndex: 2 })).subscribe();
  source.next(engineOutput(1, { timestamp: 1 }));
  scheduler.flush();
  expect(entries.map(({ stats }) => [stats.engineIndex, stats.generationThroughput])).toEqual([[2, 1]]);
});
