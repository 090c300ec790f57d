import { describe, expect, it } from 'vitest';
import { DRAFTS, DRAFTS_LINE, IDLE } from '../../support/log-figures.js';
import { runLog } from '../../support/stats-log-run.js';

describe('the figures of a tick', () => {
  it('are all 0 without traffic, and what was not seen is absent', () => {
    const [entry] = runLog([0]).until(10_000);
    expect(entry).toStrictEqual({
      level: 'debug',
      line:
        'Engine 000: Avg prompt throughput: 0.0 tokens/s, Avg generation throughput: 0.0 tokens/s, ' +
        'Running: 0 reqs, Waiting: 0 reqs, GPU KV cache usage: 0.0%, Prefix cache hit rate: 0.0%',
      lines: [entry?.line],
      stats: IDLE,
    });
  });

  it('take the prompt throughput from tokens computed here alone', () => {
    const log = runLog([0]);
    log.engine(0).promptTokens.inc(1000);
    log.engine(0).promptTokensBySource.localCompute.inc(100);
    log.engine(0).promptTokensBySource.localCacheHit.inc(900);
    log.engine(0).generationTokens.inc(50);
    expect(log.until(10_000)[0]?.stats).toMatchObject({ promptThroughput: 10, generationThroughput: 5 });
  });

  it('take gauges as they are, and preemptions and corrupted requests of the interval', () => {
    const log = runLog([0]);
    const engine = log.engine(0);
    engine.numRequestsRunning.set(4);
    engine.numRequestsWaiting.set(3);
    engine.numRequestsWaitingByReason.deferred.set(2);
    engine.kvCacheUsagePerc.set(0.5);
    engine.numPreemptions.inc(2);
    engine.corruptedRequests.inc();
    const gauges = { numRunning: 4, numWaiting: 3, numDeferred: 2, kvCacheUsage: 0.5 };
    expect(log.until(10_000)[0]?.stats).toMatchObject({ ...gauges, numPreemptions: 2, numCorrupted: 1 });
    expect(log.until(20_000)[0]?.stats).toMatchObject({ ...gauges, numPreemptions: 0, numCorrupted: 0 });
  });

  it('add engines up, and take the mean of their KV usage', () => {
    const log = runLog([0, 1, 2]);
    for (const index of [0, 1, 2]) {
      log.engine(index).generationTokens.inc(100 * (index + 1));
      log.engine(index).numRequestsRunning.set(1);
      log.engine(index).kvCacheUsagePerc.set(0.25 * index);
    }
    const [entry] = log.until(10_000);
    expect(entry?.stats).toMatchObject({ generationThroughput: 60, numRunning: 3, kvCacheUsage: 0.25 });
    expect(entry?.stats).not.toHaveProperty('engineIndex');
    expect(entry?.line).toMatch(/^3 Engines Aggregated: Avg prompt throughput: 0\.0 tokens\/s, Avg/);
  });
});

describe('hit rates', () => {
  it('are of the interval, and stay over one without queries', () => {
    const log = runLog([0]);
    const rate = (ms: number) => log.until(ms)[0]?.stats.prefixCacheHitRate;
    log.engine(0).prefixCacheQueries.inc(100);
    log.engine(0).prefixCacheHits.inc(25);
    expect(rate(10_000)).toBe(0.25);
    expect(rate(20_000)).toBe(0.25);
    log.engine(0).prefixCacheQueries.inc(10);
    expect(rate(30_000)).toBe(0);
    expect(rate(40_000)).toBe(0);
  });

  it('weigh engines by their queries', () => {
    const log = runLog([0, 1]);
    log.engine(0).prefixCacheQueries.inc(300);
    log.engine(0).prefixCacheHits.inc(300);
    log.engine(1).prefixCacheQueries.inc(100);
    expect(log.until(10_000)[0]?.stats.prefixCacheHitRate).toBe(0.75);
  });

  it('of the external and the multimodal cache come with their first queries and stay', () => {
    const log = runLog([0]);
    expect(log.until(10_000)[0]?.line).toMatch(/Prefix cache hit rate: 0\.0%$/);
    log.engine(0).externalPrefixCacheQueries.inc(200);
    log.engine(0).externalPrefixCacheHits.inc(103);
    log.metrics.recordMultiModalCache(0, { queries: 4, hits: 1 });
    const seen = /, External prefix cache hit rate: 51\.5%, MM cache hit rate: 25\.0%$/;
    expect(log.until(20_000)[0]?.line).toMatch(seen);
    expect(log.until(30_000)[0]?.line).toMatch(seen);
  });

  it('start at the subscription', () => {
    const log = runLog([0], {}, (metrics) => {
      metrics.forEngine(0).prefixCacheQueries.inc(10);
      metrics.forEngine(0).prefixCacheHits.inc(10);
      metrics.forEngine(0).externalPrefixCacheQueries.inc(10);
    });
    const { stats } = log.until(10_000)[0]!;
    expect(stats.prefixCacheHitRate).toBe(0);
    expect(stats).not.toHaveProperty('externalPrefixCacheHitRate');
  });
});

describe('speculative decoding', () => {
  /** `draftPosition` of the slot is what the scheduler's recorder calls. */
  function accept(log: ReturnType<typeof runLog>, engine: number, perPosition: readonly number[]): void {
    perPosition.forEach((tokens, position) => {
      log.metrics.core.engine(engine).draftPosition(position).inc(tokens);
    });
  }

  it('follows worked example 12', () => {
    const log = runLog([0], { every: 2000 }, (metrics) => {
      metrics.forEngine(0).specDecodeNumDrafts.inc(10);
      metrics.forEngine(0).specDecodeNumDraftTokens.inc(100);
      metrics.forEngine(0).specDecodeNumAcceptedTokens.inc(40);
    });
    log.engine(0).specDecodeNumDrafts.inc(4);
    log.engine(0).specDecodeNumDraftTokens.inc(20);
    log.engine(0).specDecodeNumAcceptedTokens.inc(12);
    accept(log, 0, [4, 2, 1]);
    const [entry] = log.until(2000);
    expect(entry?.stats.specDecoding).toStrictEqual(DRAFTS);
    expect(entry?.lines[1]).toBe(DRAFTS_LINE);
  });

  it('adds up records of one interval, and says nothing in the next', () => {
    const log = runLog([0], { every: 1000 });
    for (const [drafts, perPosition] of [
      [2, [1, 2]],
      [3, [3, 4, 5]],
    ] as const) {
      log.engine(0).specDecodeNumDrafts.inc(drafts);
      accept(log, 0, perPosition);
    }
    expect(log.until(1000)[0]?.stats.specDecoding?.perPositionAcceptanceRates).toEqual([0.8, 1.2, 1]);
    expect(log.until(2000)[0]?.stats).not.toHaveProperty('specDecoding');
  });

  it('lists every position seen so far, over all engines', () => {
    const log = runLog([0, 1]);
    log.engine(0).specDecodeNumDrafts.inc(1);
    accept(log, 0, [1]);
    log.engine(1).specDecodeNumDrafts.inc(1);
    accept(log, 1, [1, 1, 0]);
    expect(log.until(10_000)[0]?.stats.specDecoding?.perPositionAcceptanceRates).toEqual([1, 0.5, 0]);
    log.engine(0).specDecodeNumDrafts.inc(2);
    accept(log, 0, [1]);
    expect(log.until(20_000)[0]?.stats.specDecoding?.perPositionAcceptanceRates).toEqual([0.5, 0, 0]);
  });

  it('prints nan if there were drafts and nothing was drafted', () => {
    const log = runLog([0]);
    log.engine(0).specDecodeNumDrafts.inc(1);
    expect(log.until(10_000)[0]?.lines[1]).toBe(
      'SpecDecoding metrics: Mean acceptance length: 1.00, Accepted throughput: 0.00 tokens/s, ' +
        'Drafted throughput: 0.00 tokens/s, Accepted: 0 tokens, Drafted: 0 tokens, ' +
        'Per-position acceptance rate: , Avg Draft acceptance rate: nan%',
    );
  });
});

describe('the estimate of the work', () => {
  it('follows worked example 13: the mean over engines', () => {
    const log = runLog([0, 1], { every: 2000 });
    log.engine(0).estimatedFlopsPerGpu.inc(4e12);
    log.engine(0).estimatedReadBytesPerGpu.inc(2e9);
    log.engine(1).estimatedWriteBytesPerGpu.inc(2e9);
    const [entry] = log.until(2000);
    expect(entry?.stats.mfu).toStrictEqual({ tflopsPerGpu: 1, gbytesPerSecondPerGpu: 1 });
    expect(entry?.lines[1]).toBe('2 Engines Aggregated: MFU: 1.0 TF/s/GPU 1.0 GB/s/GPU');
    expect(log.until(4000)[0]?.lines).toHaveLength(1);
  });

  it('has its engine in front per engine', () => {
    const log = runLog([0, 7], { perEngine: true });
    log.engine(7).estimatedReadBytesPerGpu.inc(5e9);
    expect(log.until(10_000).map((entry) => entry.lines[1])).toEqual([
      undefined,
      'Engine 007: MFU: 0.0 TF/s/GPU 0.5 GB/s/GPU',
    ]);
  });
});
