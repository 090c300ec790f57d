import { Registry } from 'prom-client';
import { map, take, timer } from 'rxjs';
import { describe, expect, it, test, vi } from 'vitest';
import { ServingMetrics, type StatsLogOptions, statsLog } from '../../src/index.js';
import { runMarbles } from '../../src/testing/index.js';
import { runLog } from '../support/stats-log-run.js';

const newMetrics = (engines: readonly number[] = [0]): ServingMetrics =>
  new ServingMetrics({ registry: new Registry(), modelName: 'm', engines });

describe('ticks', () => {
  it('come every 10 s by default, the first after 10 s, in virtual time', () => {
    runMarbles(({ expectObservable }) => {
      const levels = statsLog(newMetrics()).pipe(map(({ level }) => level[0]));
      expectObservable(levels, '^ 31s !').toBe('10s d 9999ms d 9999ms d');
    });
  });

  it('are of all engines together unless each is asked for', () => {
    runMarbles(({ expectObservable }) => {
      const entriesOf = (options?: StatsLogOptions) =>
        statsLog(newMetrics([0, 1]), options).pipe(map(({ stats }) => stats.engineIndex ?? 'all'));
      expectObservable(entriesOf(), '^ 11s !').toBe('10s a', { a: 'all' });
      expectObservable(entriesOf({ perEngine: true }), '^ 11s !').toBe('10s (ab)', { a: 0, b: 1 });
    });
  });

  it('come as often as asked, each subscription with its own', () => {
    runMarbles(({ expectObservable }) => {
      const levels = statsLog(newMetrics(), { every: 3 }).pipe(map(({ level }) => level[0]));
      expectObservable(levels, '^------!').toBe('---d--d');
      expectObservable(levels, '--^------!').toBe('-----d--d');
    });
  });

  it('give one entry per engine at once', () => {
    runMarbles(({ expectObservable }) => {
      const engines = statsLog(newMetrics([1, 0]), { every: 5, perEngine: true }).pipe(
        map(({ stats }) => String(stats.engineIndex)),
      );
      expectObservable(engines, '^---------!').toBe('-----(01)-');
    });
  });

  it('end in the middle of a tick if the reader has enough', () => {
    runMarbles(({ expectObservable }) => {
      const engines = statsLog(newMetrics([0, 1]), { every: 5, perEngine: true }).pipe(
        take(1),
        map(({ stats }) => String(stats.engineIndex)),
      );
      expectObservable(engines).toBe('-----(0|)');
    });
  });

  it('end with the metrics, at once', () => {
    runMarbles(({ expectObservable }) => {
      const metrics = newMetrics();
      timer(7).subscribe(() => metrics.dispose());
      expectObservable(statsLog(metrics, { every: 3 }).pipe(map(({ level }) => level[0]))).toBe('---d--d|');
    });
  });

  it('do not begin after the metrics were disposed', () => {
    runMarbles(({ expectObservable }) => {
      const metrics = newMetrics();
      metrics.dispose();
      expectObservable(statsLog(metrics)).toBe('|');
    });
  });

  it('end between two engines if the reader disposes the metrics', () => {
    const metrics = newMetrics([0, 1]);
    const seen: unknown[] = [];
    vi.useFakeTimers();
    try {
      statsLog(metrics, { perEngine: true }).subscribe({
        next: ({ stats }) => {
          seen.push(stats.engineIndex);
          metrics.dispose();
        },
        complete: () => seen.push('complete'),
      });
      vi.advanceTimersByTime(30_000);
      expect(seen).toEqual([0, 'complete']);
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it('leave no timer behind when the reader unsubscribes', () => {
    vi.useFakeTimers();
    try {
      const subscription = statsLog(newMetrics()).subscribe();
      expect(vi.getTimerCount()).toBe(1);
      subscription.unsubscribe();
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('the time of an interval', () => {
  it('is what really passed if a tick is late', () => {
    const log = runLog([0]);
    log.lag(15_000);
    log.engine(0).generationTokens.inc(100);
    expect(log.until(10_000)[0]?.stats.generationThroughput).toBe(4);
    log.engine(0).generationTokens.inc(100);
    expect(log.until(20_000)[0]?.stats.generationThroughput).toBe(10);
  });

  it('is the planned one if the clock stands still or goes back', () => {
    const log = runLog([0]);
    for (const [lag, at] of [
      [-10_000, 10_000],
      [-3_600_000, 20_000],
    ] as const) {
      log.lag(lag);
      log.engine(0).generationTokens.inc(100);
      expect(log.until(at)[0]?.stats.generationThroughput).toBe(10);
    }
    log.engine(0).generationTokens.inc(100);
    expect(log.until(30_000)[0]?.stats.generationThroughput).toBe(10);
  });

  it('begins with each subscription', () => {
    runMarbles(({ expectObservable, cold }) => {
      const metrics = newMetrics();
      cold('--a').subscribe(() => metrics.forEngine(0).generationTokens.inc(30));
      const rates = statsLog(metrics, { every: 5 }).pipe(map(({ stats }) => stats.generationThroughput));
      expectObservable(rates, '^-----!').toBe('-----a', { a: 6000 });
      expectObservable(rates, '---^-----!').toBe('--------b', { b: 0 });
    });
  });
});

describe('the level', () => {
  it('is info with a throughput, once more after the load has ended, then debug', () => {
    const log = runLog([0]);
    log.engine(0).generationTokens.inc(1);
    expect([1, 2, 3, 4].map((tick) => log.until(tick * 10_000)[0]?.level)).toEqual([
      'info',
      'info',
      'debug',
      'debug',
    ]);
  });

  it('goes by either throughput, and by nothing else', () => {
    const log = runLog([0]);
    log.engine(0).numRequestsRunning.set(5);
    log.engine(0).numPreemptions.inc(5);
    expect(log.until(10_000)[0]?.level).toBe('debug');
    log.engine(0).promptTokensBySource.localCompute.inc(1);
    expect(log.until(20_000)[0]?.level).toBe('info');
  });

  it('is info for a throughput that prints as 0.0', () => {
    const log = runLog([0], { every: 100_000 });
    log.engine(0).generationTokens.inc(1);
    expect(log.until(100_000)[0]).toMatchObject({
      level: 'info',
      line: expect.stringContaining('generation throughput: 0.0 '),
    });
  });

  it("is each engine's own per engine", () => {
    const log = runLog([0, 1], { perEngine: true });
    log.engine(1).generationTokens.inc(1);
    expect(log.until(10_000).map(({ level }) => level)).toEqual(['debug', 'info']);
  });
});

describe('options', () => {
  test.each<[StatsLogOptions | null, typeof Error, string]>([
    [{ every: 0 }, RangeError, 'statsLog.every: expected milliseconds above 0 and at most 2147483647, got 0'],
    [{ every: -1 }, RangeError, 'got -1'],
    [{ every: Number.NaN }, RangeError, 'got NaN'],
    [{ every: Infinity }, RangeError, 'got Infinity'],
    [{ every: 2 ** 31 }, RangeError, 'got 2147483648'],
    [{ every: '10' as never }, TypeError, 'statsLog.every: expected milliseconds above 0 and at most'],
    [{ every: null as never }, TypeError, 'got null'],
    [
      { scheduler: {} as never },
      TypeError,
      'statsLog.scheduler: expected an object with schedule() and now()',
    ],
    [{ scheduler: null as never }, TypeError, 'got null'],
    [{ perEngine: 1 as never }, TypeError, 'statsLog.perEngine: expected a boolean, got 1'],
    [null, TypeError, 'statsLog.options: expected an object, got null'],
  ])('throw at the call if they are %j', (options, kind, message) => {
    const call = () => statsLog(newMetrics(), options as StatsLogOptions);
    expect(call).toThrow(kind);
    expect(call).toThrow(message);
  });

  it('may be left out or undefined', () => {
    expect(() => statsLog(newMetrics(), { every: undefined as never })).not.toThrow();
  });
});
