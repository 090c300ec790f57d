/** Lines that upstream's own logger wrote (python-log-lines.json, vLLM 017e9f4448b7), from the figures behind them. */
import { describe, expect, test } from 'vitest';
import type { EngineMetrics, StatsLogOptions } from '../../../src/index.js';
import { type LogRun, runLog } from '../../support/stats-log-run.js';

interface Figures {
  prompt?: number;
  generation?: number;
  running?: number;
  waiting?: number;
  deferred?: number;
  usage?: number;
  /** Queries and hits. */
  prefix?: readonly [number, number];
  external?: readonly [number, number];
  mm?: readonly [number, number];
}

function record(engine: EngineMetrics, figures: Figures): void {
  const { prefix = [0, 0], external = [0, 0], mm = [0, 0] } = figures;
  engine.promptTokensBySource.localCompute.inc(figures.prompt ?? 0);
  engine.generationTokens.inc(figures.generation ?? 0);
  engine.numRequestsRunning.set(figures.running ?? 0);
  engine.numRequestsWaiting.set(figures.waiting ?? 0);
  engine.numRequestsWaitingByReason.deferred.set(figures.deferred ?? 0);
  engine.kvCacheUsagePerc.set(figures.usage ?? 0);
  engine.prefixCacheQueries.inc(prefix[0]);
  engine.prefixCacheHits.inc(prefix[1]);
  engine.externalPrefixCacheQueries.inc(external[0]);
  engine.externalPrefixCacheHits.inc(external[1]);
  engine.mmCacheQueries.inc(mm[0]);
  engine.mmCacheHits.inc(mm[1]);
}

function draft(log: LogRun, engine: number, drafts: number, drafted: number, perPosition: readonly number[]) {
  const metrics = log.engine(engine);
  metrics.specDecodeNumDrafts.inc(drafts);
  metrics.specDecodeNumDraftTokens.inc(drafted);
  metrics.specDecodeNumAcceptedTokens.inc(perPosition.reduce((sum, tokens) => sum + tokens));
  perPosition.forEach((tokens, position) => {
    log.metrics.core.engine(engine).draftPosition(position).inc(tokens);
  });
}

describe("a line of upstream's logger", () => {
  test.each<[string, Figures, StatsLogOptions, string]>([
    [
      'log-a-0',
      { prompt: 4741, generation: 65, running: 6, waiting: 2, usage: 0.453125, prefix: [7414, 2673] },
      {},
      'Engine 000: Avg prompt throughput: 474.1 tokens/s, Avg generation throughput: 6.5 tokens/s, Running: 6 reqs, Waiting: 2 reqs, GPU KV cache usage: 45.3%, Prefix cache hit rate: 36.1%',
    ],
    [
      'log-a-0, deferred',
      { generation: 20, waiting: 2, deferred: 2, usage: 0.40625, prefix: [1000, 356] },
      {},
      'Engine 000: Avg prompt throughput: 0.0 tokens/s, Avg generation throughput: 2.0 tokens/s, Running: 0 reqs, Waiting: 2 reqs, Deferred: 2 reqs, GPU KV cache usage: 40.6%, Prefix cache hit rate: 35.6%',
    ],
    [
      'log-a-7',
      {
        prompt: 3955,
        generation: 49,
        running: 3,
        waiting: 4,
        deferred: 1,
        usage: 0.2421875,
        prefix: [500, 33],
        external: [400, 206],
      },
      {},
      'Engine 000: Avg prompt throughput: 395.5 tokens/s, Avg generation throughput: 4.9 tokens/s, Running: 3 reqs, Waiting: 4 reqs, Deferred: 1 reqs, GPU KV cache usage: 24.2%, Prefix cache hit rate: 6.6%, External prefix cache hit rate: 51.5%',
    ],
    [
      'log-a-9',
      { mm: [5, 4] },
      {},
      'Engine 000: Avg prompt throughput: 0.0 tokens/s, Avg generation throughput: 0.0 tokens/s, Running: 0 reqs, Waiting: 0 reqs, GPU KV cache usage: 0.0%, Prefix cache hit rate: 0.0%, MM cache hit rate: 80.0%',
    ],
    [
      'log-a-17, an exact half of a percent',
      { prompt: 6657, generation: 52, running: 3, usage: 0.0625, prefix: [1000, 381] },
      { every: 7500 },
      'Engine 000: Avg prompt throughput: 887.6 tokens/s, Avg generation throughput: 6.9 tokens/s, Running: 3 reqs, Waiting: 0 reqs, GPU KV cache usage: 6.2%, Prefix cache hit rate: 38.1%',
    ],
  ])('comes out of its figures: %s', (_name, figures, options, line) => {
    const log = runLog([0], options);
    record(log.engine(0), figures);
    expect(log.until(10_000).map((entry) => entry.line)).toEqual([line]);
  });

  test('comes out of three engines together: log-a-2', () => {
    const log = runLog([0, 1, 2]);
    record(log.engine(0), { prompt: 4000, generation: 26, running: 1, usage: 0.25, prefix: [1000, 193] });
    record(log.engine(1), { prompt: 4929, generation: 20, running: 2, usage: 0.6484375 });
    record(log.engine(2), { generation: 10, waiting: 1, deferred: 1, usage: 0.625 });
    expect(log.until(10_000).map((entry) => entry.line)).toEqual([
      '3 Engines Aggregated: Avg prompt throughput: 892.9 tokens/s, Avg generation throughput: 5.6 tokens/s, Running: 3 reqs, Waiting: 1 reqs, Deferred: 1 reqs, GPU KV cache usage: 50.8%, Prefix cache hit rate: 19.3%',
    ]);
  });

  test('comes out of drafts: log-a-3', () => {
    const log = runLog([0]);
    draft(log, 0, 60, 180, [46, 28, 14]);
    expect(log.until(10_000)[0]?.lines[1]).toBe(
      'SpecDecoding metrics: Mean acceptance length: 2.47, Accepted throughput: 8.80 tokens/s, Drafted throughput: 18.00 tokens/s, Accepted: 88 tokens, Drafted: 180 tokens, Per-position acceptance rate: 0.767, 0.467, 0.233, Avg Draft acceptance rate: 48.9%',
    );
  });

  test('comes out of the drafts of two engines: log-a-4', () => {
    const log = runLog([0, 1]);
    draft(log, 0, 29, 58, [16, 10]);
    draft(log, 1, 30, 60, [20, 11]);
    expect(log.until(10_000)[0]?.lines[1]).toBe(
      'SpecDecoding metrics: Mean acceptance length: 1.97, Accepted throughput: 5.70 tokens/s, Drafted throughput: 11.80 tokens/s, Accepted: 57 tokens, Drafted: 118 tokens, Per-position acceptance rate: 0.610, 0.356, Avg Draft acceptance rate: 48.3%',
    );
  });

  test('comes out of the estimate of the work: log-a-5', () => {
    const log = runLog([0]);
    log.engine(0).estimatedFlopsPerGpu.inc(446e12);
    log.engine(0).estimatedReadBytesPerGpu.inc(10_000e9);
    log.engine(0).estimatedWriteBytesPerGpu.inc(3649e9);
    expect(log.until(10_000)[0]?.lines[1]).toBe('Engine 000: MFU: 44.6 TF/s/GPU 1364.9 GB/s/GPU');
  });
});
