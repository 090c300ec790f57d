import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StatsLogStats } from '../../../src/index.js';
import { type LogRun, runLog } from '../../support/stats-log-run.js';

type Act = (log: LogRun) => void;

const EVERY = 1000;
const engine = fc.integer({ min: 0, max: 3 });
const count = fc.integer({ min: 0, max: 1000 });

/** Traffic on an engine that may be new: tokens, look-ups with no more hits than queries, drafts, work. */
const traffic: fc.Arbitrary<Act> = fc.tuple(engine, count, count).map(([index, one, other]) => (log) => {
  const metrics = log.engine(index);
  const [less, more] = one < other ? [one, other] : [other, one];
  metrics.generationTokens.inc(one);
  metrics.promptTokensBySource.localCompute.inc(other);
  metrics.prefixCacheQueries.inc(more);
  metrics.prefixCacheHits.inc(less);
  metrics.specDecodeNumDrafts.inc(less);
  metrics.specDecodeNumDraftTokens.inc(more);
  metrics.specDecodeNumAcceptedTokens.inc(less);
  log.metrics.core
    .engine(index)
    .draftPosition(one % 4)
    .inc(less);
  metrics.estimatedFlopsPerGpu.inc(one * 1e9);
  metrics.kvCacheUsagePerc.set(one / 1000);
});

const trouble: fc.Arbitrary<Act> = fc.oneof(
  engine.map(
    (index): Act =>
      (log) =>
        log.metrics.removeEngine(index),
  ),
  fc.constant<Act>((log) => log.registry.resetMetrics()),
  fc.integer({ min: -5000, max: 5000 }).map(
    (ms): Act =>
      (log) =>
        log.lag(ms),
  ),
);

function figuresOf({ specDecoding, mfu, ...stats }: StatsLogStats): number[] {
  const { perPositionAcceptanceRates = [], ...drafts } = specDecoding ?? {};
  return [stats, drafts, mfu ?? {}, perPositionAcceptanceRates].flatMap((part) => Object.values(part));
}

/** Acts in turn, with a tick after each list of them. */
function play(log: LogRun, intervals: readonly (readonly Act[])[]): StatsLogStats[] {
  return intervals.flatMap((acts, i) => {
    for (const act of acts) act(log);
    return log.until((i + 1) * EVERY).map(({ stats }) => stats);
  });
}

describe('whatever happens between the ticks', () => {
  it('no figure is negative or infinite, and fractions lie between 0 and 1', () => {
    const acts = fc.array(fc.array(fc.oneof({ weight: 3, arbitrary: traffic }, trouble)), { maxLength: 12 });
    fc.assert(
      fc.property(acts, fc.boolean(), (intervals, perEngine) => {
        for (const stats of play(runLog([0], { every: EVERY, perEngine }), intervals)) {
          // An acceptance rate without drafted tokens is NaN by contract.
          for (const figure of figuresOf(stats))
            expect(figure < 0 || Math.abs(figure) === Infinity).toBe(false);
          expect(stats.prefixCacheHitRate).toBeLessThanOrEqual(1);
          expect(stats.kvCacheUsage).toBeLessThanOrEqual(1);
        }
      }),
    );
  });

  it('throughputs times their intervals add up to the counters', () => {
    const acts = fc.array(fc.array(traffic), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(acts, fc.boolean(), (intervals, perEngine) => {
        const log = runLog([0], { every: EVERY, perEngine });
        const all = play(log, intervals);
        const total = (figure: (stats: StatsLogStats) => number) =>
          all.reduce((sum, stats) => sum + figure(stats), 0) * (EVERY / 1000);
        const engines = [0, 1, 2, 3].map((index) => log.engine(index));
        const counted = (counter: (metrics: (typeof engines)[number]) => number) =>
          engines.reduce((sum, metrics) => sum + counter(metrics), 0);
        expect(total((stats) => stats.generationThroughput)).toBe(
          counted((metrics) => metrics.generationTokens.value),
        );
        expect(total((stats) => stats.promptThroughput)).toBe(
          counted((metrics) => metrics.promptTokensBySource.localCompute.value),
        );
        expect(total((stats) => stats.specDecoding?.acceptedTokens ?? 0)).toBe(
          counted((metrics) => metrics.specDecodeNumAcceptedTokens.value),
        );
      }),
    );
  });

  it('the figures of all engines are those of each added up', () => {
    const acts = fc.array(fc.array(traffic), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(acts, (intervals) => {
        const together = play(runLog([0], { every: EVERY }), intervals);
        const each = play(runLog([0], { every: EVERY, perEngine: true }), intervals);
        let next = 0;
        for (const stats of together) {
          const parts = each.slice(next, next + stats.numEngines);
          next += stats.numEngines;
          const sum = parts.reduce((total, part) => total + part.generationThroughput, 0);
          expect(stats.generationThroughput).toBe(sum);
        }
        expect(next).toBe(each.length);
      }),
    );
  });
});
