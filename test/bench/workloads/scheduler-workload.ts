/** One scheduler record: four draft positions and MFU, and the same for each competitor. */
import { Counter, Gauge, type Registry } from 'prom-client';
import type { SchedulerStats } from '../../../src/engine-core/scheduler-stats.js';
import type { EngineHandles } from '../../../src/serving/engines/engine-handles.js';
import { schedulerStats } from '../../../src/testing/scheduler-stats.js';

/** A few records of one shape: with a single one V8 would keep its figures in registers for competitor and us. */
export const STATS: readonly SchedulerStats[] = Array.from({ length: 16 }, (_, i) =>
  schedulerStats({
    numRunningReqs: 37 + i,
    numWaitingReqs: 5,
    numSkippedWaitingReqs: 2,
    kvCacheUsage: 0.625,
    prefixCacheStats: { reset: false, requests: 3, queries: 1200, hits: 800 },
    specDecodingStats: {
      numSpecTokens: 4,
      numDrafts: 37,
      numDraftTokens: 148,
      numAcceptedTokens: 90,
      numAcceptedTokensPerPos: [36, 27, 17, 10],
    },
    perfStats: { numFlopsPerGpu: 4e12, numReadBytesPerGpu: 2e9, numWriteBytesPerGpu: 1e9 },
  }),
);

/** The same writes to the same cells, without a check. */
export function writePlainly(metrics: EngineHandles, stats: SchedulerStats): void {
  const { prefixCacheStats, specDecodingStats, perfStats } = stats;
  const { capacity, deferred } = metrics.numRequestsWaitingByReason;
  metrics.numRequestsRunning.cells[0] = stats.numRunningReqs!;
  capacity.cells[0] = stats.numWaitingReqs!;
  deferred.cells[0] = stats.numSkippedWaitingReqs!;
  metrics.numRequestsWaiting.cells[0] = stats.numWaitingReqs! + stats.numSkippedWaitingReqs!;
  const { waitingToStart, inProgress, completedWaiting } = metrics.numRequestsKvFetchByStage;
  waitingToStart.cells[0] = 0;
  inProgress.cells[0] = 0;
  completedWaiting.cells[0] = 0;
  metrics.kvCacheUsagePerc.cells[0] = stats.kvCacheUsage!;
  metrics.prefixCacheQueries.cells[0]! += prefixCacheStats!.queries!;
  metrics.prefixCacheHits.cells[0]! += prefixCacheStats!.hits!;
  metrics.promptTokensCachedBySource.device.cells[0]! += prefixCacheStats!.hits!;
  metrics.specDecodeNumDrafts.cells[0]! += specDecodingStats!.numDrafts!;
  metrics.specDecodeNumDraftTokens.cells[0]! += specDecodingStats!.numDraftTokens!;
  metrics.specDecodeNumAcceptedTokens.cells[0]! += specDecodingStats!.numAcceptedTokens!;
  const perPos = specDecodingStats!.numAcceptedTokensPerPos!;
  const positions = metrics.specDecodeNumAcceptedTokensPerPos;
  for (let i = 0; i < perPos.length; i++) positions[i]!.cells[0]! += perPos[i]!;
  metrics.estimatedFlopsPerGpu.cells[0]! += perfStats!.numFlopsPerGpu!;
  metrics.estimatedReadBytesPerGpu.cells[0]! += perfStats!.numReadBytesPerGpu!;
  metrics.estimatedWriteBytesPerGpu.cells[0]! += perfStats!.numWriteBytesPerGpu!;
}

/** The same through prom-client's kept handles. */
export class KeptScheduler {
  readonly #gauges: readonly Gauge.Internal<string>[];
  readonly #counters: readonly Counter.Internal[];

  constructor(registry: Registry) {
    const labelNames = ['model_name', 'engine'];
    const labels = { model_name: 'm', engine: '0' };
    this.#gauges = Array.from({ length: 8 }, (_, i) =>
      new Gauge({ name: `gauge_${i}`, help: 'g', labelNames, registers: [registry] }).labels(labels),
    );
    this.#counters = Array.from({ length: 13 }, (_, i) =>
      new Counter({ name: `counter_${i}_total`, help: 'c', labelNames, registers: [registry] }).labels(
        labels,
      ),
    );
  }

  record(stats: SchedulerStats): void {
    const { prefixCacheStats, specDecodingStats, perfStats } = stats;
    const [running, waiting, capacity, deferred, usage] = this.#gauges as Gauge.Internal<string>[];
    running!.set(stats.numRunningReqs!);
    waiting!.set(stats.numWaitingReqs! + stats.numSkippedWaitingReqs!);
    capacity!.set(stats.numWaitingReqs!);
    deferred!.set(stats.numSkippedWaitingReqs!);
    usage!.set(stats.kvCacheUsage!);
    for (let stage = 5; stage < 8; stage++) this.#gauges[stage]!.set(0);
    const counters = this.#counters;
    counters[0]!.inc(prefixCacheStats!.queries!);
    counters[1]!.inc(prefixCacheStats!.hits!);
    counters[2]!.inc(prefixCacheStats!.hits!);
    counters[3]!.inc(specDecodingStats!.numDrafts!);
    counters[4]!.inc(specDecodingStats!.numDraftTokens!);
    counters[5]!.inc(specDecodingStats!.numAcceptedTokens!);
    const perPos = specDecodingStats!.numAcceptedTokensPerPos!;
    for (let i = 0; i < perPos.length; i++) counters[6 + i]!.inc(perPos[i]!);
    counters[10]!.inc(perfStats!.numFlopsPerGpu!);
    counters[11]!.inc(perfStats!.numReadBytesPerGpu!);
    counters[12]!.inc(perfStats!.numWriteBytesPerGpu!);
  }
}
