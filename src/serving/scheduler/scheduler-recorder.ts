import type { EngineCoreOutput } from '../../engine-core/engine-core-outputs.js';
import type { SchedulerStats } from '../../engine-core/scheduler-stats.js';
import { isRecordable } from '../../metric/handle.js';
import type { Diagnostics } from '../diagnostics.js';
import type { EngineHandles } from '../engines/engine-handles.js';
import type { InstanceEngine } from '../engines/instance-engine.js';
import { OUTPUT_NAMES, SCHEDULER_STATS_NAMES, watchNames } from '../known-names.js';
import { plainNumber } from '../plain-number.js';
import { tokenCount } from '../token-count.js';
import { recordConnectorCache, recordPrefixCache } from './cache-recorder.js';
import { recordConnector } from './connector-recorder.js';
import { StatsSink } from './stats-sink.js';
import { recordEvictions, recordPerf, recordSpecDecoding } from './step-recorder.js';

/** @see vllm/v1/metrics/stats.py `SchedulerStats.num_kv_fetch_reqs_by_stage`, release 0.32.0 */
const KV_FETCH_STAGES: ReadonlySet<string> = new Set([
  'waiting_to_start',
  'in_progress',
  'completed_waiting',
]);

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

  /** Notes when the step came, and whether it carried stats. */
  stepped(withStats: boolean): void {
    this.#engine.stepped(withStats);
  }

  /** Records the scheduler stats of a step, in upstream's order. */
  record(stats: SchedulerStats): void {
    const engine = this.#engine;
    const sink = this.#sink;
    const { metrics } = engine;
    const { kvCacheUsage, prefixCacheStats, connectorPrefixCacheStats, specDecodingStats, perfStats } = stats;
    const { kvCacheEvictionEvents, kvConnectorStats } = stats;
    recordRequests(sink, metrics, stats);
    recordKvFetches(sink, metrics, stats.numKvFetchReqsByStage);
    // Checked here: as the argument of a call that V8 does not inline the fraction would be boxed, 16 bytes a record.
    if (typeof kvCacheUsage === 'number' && kvCacheUsage >= 0 && kvCacheUsage <= 1)
      metrics.kvCacheUsagePerc.put(kvCacheUsage);
    else sink.oddShare(metrics.kvCacheUsagePerc, 'kvCacheUsage', kvCacheUsage);
    if (sink.isStruct('prefixCacheStats', prefixCacheStats))
      recordPrefixCache(sink, engine, prefixCacheStats);
    if (sink.isStruct('connectorPrefixCacheStats', connectorPrefixCacheStats)) {
      recordConnectorCache(sink, engine, connectorPrefixCacheStats);
    }
    if (sink.isStruct('specDecodingStats', specDecodingStats))
      recordSpecDecoding(sink, engine, specDecodingStats);
    if (sink.isStruct('perfStats', perfStats)) recordPerf(sink, metrics, perfStats);
    if (sink.isList('kvCacheEvictionEvents', kvCacheEvictionEvents) && kvCacheEvictionEvents.length > 0)
      recordEvictions(sink, metrics, kvCacheEvictionEvents);
    if (sink.isStruct('kvConnectorStats', kvConnectorStats)) recordConnector(sink, engine, kvConnectorStats);
    if (stats.numRunningReqs === undefined) watchNames(sink, 'schedulerStats', SCHEDULER_STATS_NAMES, stats);
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
      else if (newTokenIds === undefined) watchNames(this.#sink, 'outputs', OUTPUT_NAMES, output);
      if (prefillStats === undefined || prefillStats === null) continue;
      // An invalid figure is the request recorder's to report.
      const computed = plainNumber(prefillStats.numComputedTokens);
      if (isRecordable(computed)) tokens += computed;
    }
    this.#sink.observe(this.#engine.metrics.iterationTokens, 'numComputedTokens', tokens);
  }
}

/** By stage; a stage that is not named has none. Anything but a map leaves the gauges. */
function recordKvFetches(sink: StatsSink, metrics: EngineHandles, byStage: unknown): void {
  const { waitingToStart, inProgress, completedWaiting } = metrics.numRequestsKvFetchByStage;
  if (byStage === undefined || byStage === null) {
    waitingToStart.put(0);
    inProgress.put(0);
    completedWaiting.put(0);
  } else if (sink.isStruct('numKvFetchReqsByStage', byStage)) recordStages(sink, metrics, byStage);
}

function recordStages(sink: StatsSink, metrics: EngineHandles, byStage: object): void {
  const { waitingToStart, inProgress, completedWaiting } = metrics.numRequestsKvFetchByStage;
  const stages = byStage as Readonly<Record<string, unknown>>;
  sink.gauge(waitingToStart, 'numKvFetchReqsByStage', stages['waiting_to_start']);
  sink.gauge(inProgress, 'numKvFetchReqsByStage', stages['in_progress']);
  sink.gauge(completedWaiting, 'numKvFetchReqsByStage', stages['completed_waiting']);
  watchStages(sink, stages);
}

function watchStages(sink: StatsSink, stages: object): void {
  for (const stage in stages) {
    if (KV_FETCH_STAGES.has(stage) || !Object.hasOwn(stages, stage)) continue;
    const message = `expected one of ${[...KV_FETCH_STAGES].join(', ')}, ignored it`;
    sink.report('numKvFetchReqsByStage', message, stage);
  }
}

function recordRequests(sink: StatsSink, metrics: EngineHandles, stats: SchedulerStats): void {
  const { capacity, deferred } = metrics.numRequestsWaitingByReason;
  // Read before any is set: a getter that throws must not leave a sum that disagrees with its parts.
  const { numRunningReqs, numWaitingReqs, numSkippedWaitingReqs } = stats;
  if (isRecordable(numRunningReqs) && isRecordable(numWaitingReqs) && isRecordable(numSkippedWaitingReqs)) {
    metrics.numRequestsRunning.put(numRunningReqs);
    capacity.put(numWaitingReqs);
    deferred.put(numSkippedWaitingReqs);
    metrics.numRequestsWaiting.put(numWaitingReqs + numSkippedWaitingReqs);
  } else recordOddRequests(sink, metrics, stats);
}

function recordOddRequests(sink: StatsSink, metrics: EngineHandles, stats: SchedulerStats): void {
  const { capacity, deferred } = metrics.numRequestsWaitingByReason;
  const { numRunningReqs, numWaitingReqs, numSkippedWaitingReqs } = stats;
  sink.gauge(metrics.numRequestsRunning, 'numRunningReqs', numRunningReqs);
  sink.gauge(capacity, 'numWaitingReqs', numWaitingReqs);
  sink.gauge(deferred, 'numSkippedWaitingReqs', numSkippedWaitingReqs);
  // From the two gauges, which add up to it also when one of them kept its last value.
  metrics.numRequestsWaiting.put(capacity.value + deferred.value);
}
