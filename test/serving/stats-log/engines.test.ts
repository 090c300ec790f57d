import { describe, expect, it } from 'vitest';
import type { StatsLogEntry } from '../../../src/index.js';
import { runLog } from '../../support/stats-log-run.js';

const enginesOf = (entries: readonly StatsLogEntry[]) => entries.map(({ stats }) => stats.engineIndex);
const rates = (entries: readonly StatsLogEntry[]) => entries.map(({ stats }) => stats.generationThroughput);

describe('engines of the log', () => {
  it('come in ascending order, however they were found', () => {
    const log = runLog([11, 2], { perEngine: true });
    log.engine(5);
    log.engine(0);
    const entries = log.until(10_000);
    expect(enginesOf(entries)).toEqual([0, 2, 5, 11]);
    expect(entries.map(({ line }) => line.slice(0, 12))).toEqual([
      'Engine 000: ',
      'Engine 002: ',
      'Engine 005: ',
      'Engine 011: ',
    ]);
    expect(entries.map(({ stats }) => stats.numEngines)).toEqual([1, 1, 1, 1]);
  });

  it('make no entry while there are none', () => {
    const log = runLog([]);
    expect(log.until(20_000)).toEqual([]);
    log.engine(3).generationTokens.inc(10);
    expect(log.until(30_000).map(({ line }) => line.slice(0, 12))).toEqual(['Engine 003: ']);
  });

  it('count what they did before the subscription not at all', () => {
    const log = runLog([0], {}, (metrics) => metrics.forEngine(0).generationTokens.inc(1e6));
    log.engine(0).generationTokens.inc(10);
    expect(rates(log.until(10_000))).toEqual([1]);
  });

  it.each([true, false])(
    'count from 0 in their first interval if they come late (perEngine: %s)',
    (perEngine) => {
      const log = runLog([0], { perEngine });
      log.until(10_000);
      log.engine(1).generationTokens.inc(50);
      log.engine(1).prefixCacheQueries.inc(4);
      log.engine(1).prefixCacheHits.inc(2);
      const late = log.until(20_000).at(-1);
      expect(late?.stats.generationThroughput).toBe(5);
      expect(late?.stats.prefixCacheHitRate).toBe(0.5);
      expect(late?.level).toBe('info');
      expect(rates(log.until(30_000)).at(-1)).toBe(0);
    },
  );
});

describe('an engine that is removed', () => {
  it('leaves the log, and its tokens with it', () => {
    const log = runLog([0, 1]);
    for (const index of [0, 1]) log.engine(index).kvCacheUsagePerc.set(0.5);
    const kept = log.engine(1);
    log.metrics.removeEngine(1);
    kept.generationTokens.inc(1000);
    log.engine(0).generationTokens.inc(10);
    const [entry] = log.until(10_000);
    expect(entry?.stats).toMatchObject({ generationThroughput: 1, kvCacheUsage: 0.5, numEngines: 1 });
    expect(entry?.line).toMatch(/^Engine 000: /);
  });

  it('leaves no entry if it was the last', () => {
    const log = runLog([0]);
    log.metrics.removeEngine(0);
    expect(log.until(20_000)).toEqual([]);
  });

  it.each([true, false])(
    'does not bring its absence along when it comes back (perEngine: %s)',
    (perEngine) => {
      const log = runLog([0], { perEngine });
      const kept = log.engine(0);
      kept.generationTokens.inc(100);
      log.until(10_000);
      log.metrics.removeEngine(0);
      kept.generationTokens.inc(5000);
      expect(log.until(20_000)).toEqual([]);
      log.engine(0).generationTokens.inc(30);
      expect(rates(log.until(30_000))).toEqual([3]);
    },
  );

  it.each([true, false])('is new to the log when it comes back (perEngine: %s)', (perEngine) => {
    const log = runLog([0], { perEngine });
    log.engine(0).generationTokens.inc(100);
    log.engine(0).prefixCacheQueries.inc(1);
    log.engine(0).prefixCacheHits.inc(1);
    log.engine(0).externalPrefixCacheQueries.inc(1);
    expect(log.until(10_000)[0]?.stats.prefixCacheHitRate).toBe(1);
    log.metrics.removeEngine(0);
    log.until(20_000);
    log.engine(0);
    const [entry] = log.until(30_000);
    expect(entry?.level).toBe('debug');
    expect(entry?.stats.prefixCacheHitRate).toBe(0);
    expect(entry?.stats).not.toHaveProperty('externalPrefixCacheHitRate');
  });

  it('is not missed if it is back before the tick', () => {
    const log = runLog([0]);
    log.engine(0).generationTokens.inc(10);
    log.metrics.removeEngine(0);
    log.engine(0).generationTokens.inc(10);
    expect(rates(log.until(10_000))).toEqual([2]);
  });
});

describe("a reset of the registry's metrics", () => {
  it('makes no figure negative, and what follows it counts', () => {
    const log = runLog([0]);
    log.engine(0).generationTokens.inc(1000);
    log.engine(0).numPreemptions.inc(8);
    log.engine(0).prefixCacheQueries.inc(100);
    log.engine(0).prefixCacheHits.inc(5);
    log.until(10_000);
    log.registry.resetMetrics();
    log.engine(0).generationTokens.inc(20);
    log.engine(0).prefixCacheQueries.inc(40);
    log.engine(0).prefixCacheHits.inc(10);
    expect(log.until(20_000)[0]?.stats).toMatchObject({
      generationThroughput: 2,
      numPreemptions: 0,
      prefixCacheHitRate: 0.25,
    });
    log.engine(0).generationTokens.inc(10);
    expect(rates(log.until(30_000))).toEqual([1]);
  });

  it('ends the lines of work and drafts as an idle interval does', () => {
    const log = runLog([0]);
    log.engine(0).specDecodeNumDrafts.inc(3);
    log.engine(0).estimatedFlopsPerGpu.inc(1e12);
    expect(log.until(10_000)[0]?.lines).toHaveLength(3);
    log.registry.resetMetrics();
    expect(log.until(20_000)[0]?.lines).toHaveLength(1);
  });
});
