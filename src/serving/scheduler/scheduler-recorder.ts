import type { EngineCoreOutput } from '../../engine-core/engine-core-outputs.js';
import type { SchedulerStats } from '../../engine-core/scheduler-stats.js';
import { isRecordable } from '../../metric/handle.js';
import type { Diagnostics } from '../diagnostics.js';
import type { EngineHandles } from '../engines/engine-handles.js';
import type { InstanceEngine } from '../engines/instance-engine.js';
import { tokenCount } from '../token-count.js';
import { recordConnectorCache, recordPrefixCache } from './cache-recorder.js';
import { recordConnector } from './connector-recorder.js';
import { StatsSink } from './stats-sink.js';
import { recordEvictions, recordPerf, recordSpecDecoding } from './step-recorder.js';

/**
 * Records what one engine's steps say, through handles resolved once. Total: an invalid figure is reported, the
 * rest of the stats recorded.
 * @see rust/src/metrics scheduler recorder; vllm/v1/metrics/loggers.py `PrometheusStatLogger.record`
 */
export class SchedulerRecorder {
  readonly #engine: InstanceEngine;
  readonly #sink: StatsSink;

  constructor(engine: InstanceEngine, diagnostics: Diagnostics) {
    this.#engine = engine;
    this.#sink = new StatsSink(engine.index, diagnostics);
  }

  /** Records the scheduler stats of a step, in upstream's order. */
  record(stats: SchedulerStats): void {
    const engine = this.#engine;
    const sink = this.#sink;
    const { metrics } = engine;
    const { kvCacheUsage, prefixCacheStats, connectorPrefixCacheStats, specDecodingStats, perfStats } = stats;
    const { kvConnectorStats } = stats;
    recordRequests(sink, metrics, stats);
    // Checked here: as the argument of a call that V8 does not inline the fraction would be boxed, 16 bytes a record.
    if (typeof kvCacheUsage === 'number' && kvCacheUsage >= 0 && kvCacheUsage <= 1)
      metrics.kvCacheUsagePerc.put(kvCacheUsage);
    else sink.oddShare(metrics.kvCacheUsagePerc, 'kvCacheUsage', kvCacheUsage);
    if (sink.isStruct('prefixCacheStats', prefixCacheStats))
      recordPrefixCache(sink, metrics, prefixCacheStats);
    if (sink.isStruct('connectorPrefixCacheStats', connectorPrefixCacheStats)) {
      recordConnectorCache(sink, engine, connectorPrefixCacheStats);
    }
    if (sink.isStruct('specDecodingStats', specDecodingStats))
      recordSpecDecoding(sink, engine, specDecodingStats);
    if (sink.isStruct('perfStats', perfStats)) recordPerf(sink, metrics, perfStats);
    recordEvictions(sink, metrics, stats.kvCacheEvictionEvents);
    if (sink.isStruct('kvConnectorStats', kvConnectorStats)) recordConnector(sink, engine, kvConnectorStats);
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
      const count = tokenCount(newTokenIds);
      if (count > 0) tokens += count;
      if (prefillStats === undefined || prefillStats === null) continue;
      // An invalid figure is the request recorder's to report.
      if (isRecordable(prefillStats.numComputedTokens)) tokens += prefillStats.numComputedTokens;
    }
    this.#engine.metrics.iterationTokens.observe(tokens);
  }
}

function recordRequests(sink: StatsSink, metrics: EngineHandles, stats: SchedulerStats): void {
  const { capacity, deferred } = metrics.numRequestsWaitingByReason;
  // Read before any is set: a getter that throws must not leave the sum behind its parts.
  const { numRunningReqs, numWaitingReqs, numSkippedWaitingReqs } = stats;
  sink.gauge(metrics.numRequestsRunning, 'numRunningReqs', numRunningReqs);
  sink.gauge(capacity, 'numWaitingReqs', numWaitingReqs);
  sink.gauge(deferred, 'numSkippedWaitingReqs', numSkippedWaitingReqs);
  // From the two gauges, which add up to it also when one of them kept its last value.
  metrics.numRequestsWaiting.put(capacity.value + deferred.value);
}
