import { isRecordable } from '../metric/handle.js';
import { recordConnectorCache, recordPrefixCache } from './cache-recorder.js';
import { recordConnector } from './connector-recorder.js';
import type { Diagnostics } from './diagnostics.js';
import type { EngineCoreOutput, PerfStats, SchedulerStats, SpecDecodingStats } from './engine-core.js';
import type { EngineSlot } from './engine-slot.js';
import { StatsSink } from './stats-sink.js';

/** Draft positions beyond it are ignored: a hostile payload must not grow the page. */
const MAX_DRAFT_POSITION = 255;

/**
 * Records what one engine's steps say, through handles resolved once. Total: an invalid figure is reported, the
 * rest of the stats recorded.
 * @see rust/src/metrics scheduler recorder; vllm/v1/metrics/loggers.py `PrometheusStatLogger.record`
 */
export class SchedulerRecorder {
  readonly #slot: EngineSlot;
  readonly #sink: StatsSink;

  constructor(slot: EngineSlot, diagnostics: Diagnostics) {
    this.#slot = slot;
    this.#sink = new StatsSink(slot.index, diagnostics);
  }

  /** Records the scheduler stats of a step, in upstream's order. */
  record(stats: SchedulerStats): void {
    const sink = this.#sink;
    this.#recordRequests(stats);
    sink.share(this.#slot.metrics.kvCacheUsagePerc, 'kvCacheUsage', stats.kvCacheUsage);
    const { prefixCacheStats, connectorPrefixCacheStats, specDecodingStats, perfStats } = stats;
    if (sink.isStruct('prefixCacheStats', prefixCacheStats))
      recordPrefixCache(sink, this.#slot, prefixCacheStats);
    if (sink.isStruct('connectorPrefixCacheStats', connectorPrefixCacheStats)) {
      recordConnectorCache(sink, this.#slot, connectorPrefixCacheStats);
    }
    if (sink.isStruct('specDecodingStats', specDecodingStats)) this.#recordSpecDecoding(specDecodingStats);
    if (sink.isStruct('perfStats', perfStats)) this.#recordPerf(perfStats);
    this.#recordEvictions(stats.kvCacheEvictionEvents);
    if (sink.isStruct('kvConnectorStats', stats.kvConnectorStats)) {
      recordConnector(sink, this.#slot, stats.kvConnectorStats);
    }
  }

  /**
   * One sample per step that has outputs: its new tokens, and the prompt tokens computed for the prefills it reports,
   * whether their requests are known or not.
   */
  recordIteration(outputs: readonly EngineCoreOutput[]): void {
    let tokens = 0;
    for (let i = 0; i < outputs.length; i++) {
      const output = outputs[i];
      if (output === undefined || output === null) continue;
      const { newTokenIds, prefillStats } = output;
      if (newTokenIds !== undefined && newTokenIds !== null && newTokenIds.length > 0)
        tokens += newTokenIds.length;
      if (prefillStats === undefined || prefillStats === null) continue;
      // An invalid figure is the request recorder's to report.
      if (isRecordable(prefillStats.numComputedTokens)) tokens += prefillStats.numComputedTokens;
    }
    this.#slot.metrics.iterationTokens.observe(tokens);
  }

  #recordRequests(stats: SchedulerStats): void {
    const { numRequestsRunning, numRequestsWaiting, numRequestsWaitingByReason } = this.#slot.metrics;
    const { capacity, deferred } = numRequestsWaitingByReason;
    this.#sink.gauge(numRequestsRunning, 'numRunningReqs', stats.numRunningReqs);
    this.#sink.gauge(capacity, 'numWaitingReqs', stats.numWaitingReqs);
    this.#sink.gauge(deferred, 'numSkippedWaitingReqs', stats.numSkippedWaitingReqs);
    // From the two gauges, which add up to it also when one of them kept its last value.
    numRequestsWaiting.cells[0] = capacity.cells[0]! + deferred.cells[0]!;
  }

  #recordSpecDecoding(stats: SpecDecodingStats): void {
    const { metrics } = this.#slot;
    const sink = this.#sink;
    sink.count(metrics.specDecodeNumDrafts, 'specDecodingStats.numDrafts', stats.numDrafts);
    sink.count(metrics.specDecodeNumDraftTokens, 'specDecodingStats.numDraftTokens', stats.numDraftTokens);
    sink.count(
      metrics.specDecodeNumAcceptedTokens,
      'specDecodingStats.numAcceptedTokens',
      stats.numAcceptedTokens,
    );
    const perPos: unknown = stats.numAcceptedTokensPerPos;
    if (!sink.isList('specDecodingStats.numAcceptedTokensPerPos', perPos)) return;
    const positions = Math.min(perPos.length, MAX_DRAFT_POSITION + 1);
    for (let i = 0; i < positions; i++) {
      const known = metrics.specDecodeNumAcceptedTokensPerPos[i];
      sink.count(
        known ?? this.#slot.draftPosition(i),
        'specDecodingStats.numAcceptedTokensPerPos',
        perPos[i],
      );
    }
    if (positions < perPos.length) {
      const message = `expected at most ${MAX_DRAFT_POSITION + 1} positions, ignored the rest`;
      sink.report('specDecodingStats.numAcceptedTokensPerPos', message, perPos.length);
    }
  }

  #recordPerf(stats: PerfStats): void {
    const { metrics } = this.#slot;
    this.#sink.count(metrics.estimatedFlopsPerGpu, 'perfStats.numFlopsPerGpu', stats.numFlopsPerGpu);
    this.#sink.count(
      metrics.estimatedReadBytesPerGpu,
      'perfStats.numReadBytesPerGpu',
      stats.numReadBytesPerGpu,
    );
    this.#sink.count(
      metrics.estimatedWriteBytesPerGpu,
      'perfStats.numWriteBytesPerGpu',
      stats.numWriteBytesPerGpu,
    );
  }

  #recordEvictions(events: unknown): void {
    const sink = this.#sink;
    if (!sink.isList('kvCacheEvictionEvents', events)) return;
    const { kvBlockLifetimeSeconds, kvBlockIdleBeforeEvictSeconds, kvBlockReuseGapSeconds } =
      this.#slot.metrics;
    for (let i = 0; i < events.length; i++) {
      const event = events[i];
      if (!sink.isStruct('kvCacheEvictionEvents', event)) continue;
      const { lifetimeSeconds, idleSeconds, reuseGapsSeconds } = event as Record<string, unknown>;
      sink.observe(kvBlockLifetimeSeconds, 'kvCacheEvictionEvents.lifetimeSeconds', lifetimeSeconds);
      sink.observe(kvBlockIdleBeforeEvictSeconds, 'kvCacheEvictionEvents.idleSeconds', idleSeconds);
      sink.observeAll(kvBlockReuseGapSeconds, 'kvCacheEvictionEvents.reuseGapsSeconds', reuseGapsSeconds);
    }
  }
}
