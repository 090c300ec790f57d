/**
 * What a step did: speculative decoding, model FLOPs utilisation, evicted KV blocks.
 * Usual figures are checked and written together; one that is odd sends its struct to a function of its own. What V8
 * compiles for each step is then short: with a check and a report for each figure a record took 85 ns instead of 70
 * (Node 20, `npm run bench -- --only scheduler`).
 */

import type { PerfStats, SpecDecodingStats } from '../../engine-core/scheduler-stats.js';
import { isRecordable } from '../../metric/handle.js';
import type { EngineHandles } from '../engines/engine-handles.js';
import type { InstanceEngine } from '../engines/instance-engine.js';
import { MAX_DRAFT_POSITIONS } from '../engines/served-model.js';
import {
  EVICTION_EVENT_NAMES,
  PERF_STATS_NAMES,
  SPEC_DECODING_STATS_NAMES,
  watchNames,
} from '../known-names.js';
import { plainNumber } from '../plain-number.js';
import type { StatsSink } from './stats-sink.js';

/** @see vllm/v1/spec_decode/metrics.py `SpecDecodingProm.observe` */
export function recordSpecDecoding(sink: StatsSink, engine: InstanceEngine, stats: SpecDecodingStats): void {
  const { metrics } = engine;
  const { numSpecTokens, numDrafts, numDraftTokens, numAcceptedTokens, numAcceptedTokensPerPos } = stats;
  // Usually all of them stand. Any other figure is looked at: a smaller one, an absent one, an odd one.
  if (numSpecTokens !== metrics.specDecodeNumAcceptedTokensPerPos.length)
    standSpecTokens(sink, engine, numSpecTokens);
  if (isRecordable(numDrafts) && isRecordable(numDraftTokens) && isRecordable(numAcceptedTokens)) {
    metrics.specDecodeNumDrafts.add(numDrafts);
    metrics.specDecodeNumDraftTokens.add(numDraftTokens);
    metrics.specDecodeNumAcceptedTokens.add(numAcceptedTokens);
  } else recordOddDrafts(sink, metrics, stats);
  if (sink.isList('numAcceptedTokensPerPos', numAcceptedTokensPerPos))
    recordPositions(sink, engine, numAcceptedTokensPerPos);
}

function recordOddDrafts(sink: StatsSink, metrics: EngineHandles, stats: SpecDecodingStats): void {
  const { numDrafts, numDraftTokens, numAcceptedTokens } = stats;
  if (numDrafts === undefined) watchNames(sink, 'specDecodingStats', SPEC_DECODING_STATS_NAMES, stats);
  sink.count(metrics.specDecodeNumDrafts, 'numDrafts', numDrafts);
  sink.count(metrics.specDecodeNumDraftTokens, 'numDraftTokens', numDraftTokens);
  sink.count(metrics.specDecodeNumAcceptedTokens, 'numAcceptedTokens', numAcceptedTokens);
}

/** Stands as many draft positions as the engine says that a draft has tokens. */
function standSpecTokens(sink: StatsSink, engine: InstanceEngine, numSpecTokens: unknown): void {
  const count = plainNumber(numSpecTokens);
  if (!isRecordable(count) || !Number.isInteger(count)) {
    sink.odd('numSpecTokens', 'expected a whole number, ignored it', numSpecTokens);
    return;
  }
  if (count > MAX_DRAFT_POSITIONS)
    sink.report('numSpecTokens', `expected at most ${MAX_DRAFT_POSITIONS}, took that`, numSpecTokens);
  engine.standDraftPositions(Math.min(count, MAX_DRAFT_POSITIONS));
}

function recordPositions(sink: StatsSink, engine: InstanceEngine, perPos: readonly unknown[]): void {
  const handles = engine.metrics.specDecodeNumAcceptedTokensPerPos;
  const positions = perPos.length <= handles.length ? perPos.length : standPositions(sink, engine, perPos);
  for (let i = 0; i < positions; i++) {
    const accepted = perPos[i];
    if (isRecordable(accepted)) handles[i]!.add(accepted);
    else sink.oddCount(handles[i]!, 'numAcceptedTokensPerPos', accepted);
  }
}

/** How many positions of a list that is longer than those that stand are recorded: they stand now. */
function standPositions(sink: StatsSink, engine: InstanceEngine, perPos: readonly unknown[]): number {
  const positions = Math.min(perPos.length, MAX_DRAFT_POSITIONS);
  engine.standDraftPositions(positions);
  if (positions < perPos.length) {
    const message = `expected at most ${MAX_DRAFT_POSITIONS} positions, ignored the rest`;
    sink.report('numAcceptedTokensPerPos', message, perPos.length);
  }
  return positions;
}

/** @see vllm/v1/metrics/perf.py `PerfMetricsProm.observe` */
export function recordPerf(sink: StatsSink, metrics: EngineHandles, stats: PerfStats): void {
  const { numFlopsPerGpu, numReadBytesPerGpu, numWriteBytesPerGpu } = stats;
  if (isRecordable(numFlopsPerGpu) && isRecordable(numReadBytesPerGpu) && isRecordable(numWriteBytesPerGpu)) {
    metrics.estimatedFlopsPerGpu.add(numFlopsPerGpu);
    metrics.estimatedReadBytesPerGpu.add(numReadBytesPerGpu);
    metrics.estimatedWriteBytesPerGpu.add(numWriteBytesPerGpu);
  } else recordOddPerf(sink, metrics, stats);
}

function recordOddPerf(sink: StatsSink, metrics: EngineHandles, stats: PerfStats): void {
  const { numFlopsPerGpu, numReadBytesPerGpu, numWriteBytesPerGpu } = stats;
  if (numFlopsPerGpu === undefined) watchNames(sink, 'perfStats', PERF_STATS_NAMES, stats);
  sink.count(metrics.estimatedFlopsPerGpu, 'numFlopsPerGpu', numFlopsPerGpu);
  sink.count(metrics.estimatedReadBytesPerGpu, 'numReadBytesPerGpu', numReadBytesPerGpu);
  sink.count(metrics.estimatedWriteBytesPerGpu, 'numWriteBytesPerGpu', numWriteBytesPerGpu);
}

/** One sample per sampled block that was evicted, and one per gap between its last accesses, in seconds. */
export function recordEvictions(sink: StatsSink, metrics: EngineHandles, events: readonly unknown[]): void {
  const { kvBlockLifetimeSeconds, kvBlockIdleBeforeEvictSeconds, kvBlockReuseGapSeconds } = metrics;
  for (let i = 0; i < events.length; i++) {
    const event = events[i];
    if (!sink.isStruct('kvCacheEvictionEvents', event)) continue;
    const { lifetimeSeconds, idleSeconds, reuseGapsSeconds } = event as Record<string, unknown>;
    if (lifetimeSeconds === undefined) watchNames(sink, 'kvCacheEvictionEvents', EVICTION_EVENT_NAMES, event);
    sink.observe(kvBlockLifetimeSeconds, 'lifetimeSeconds', lifetimeSeconds);
    sink.observe(kvBlockIdleBeforeEvictSeconds, 'idleSeconds', idleSeconds);
    sink.observeAll(kvBlockReuseGapSeconds, 'reuseGapsSeconds', reuseGapsSeconds);
  }
}
