/**
 * What a step did: speculative decoding, model FLOPs utilisation, evicted KV blocks.
 * The checks of the usual fields stand here, not behind the sink's methods: `isRecordable` is small enough for V8 to
 * inline everywhere, those methods together are not, and calls would take a third of a record's time (Node 20).
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
  const { numSpecTokens } = stats;
  if (
    numSpecTokens !== undefined &&
    !((numSpecTokens ?? 0) <= metrics.specDecodeNumAcceptedTokensPerPos.length)
  )
    standSpecTokens(sink, engine, numSpecTokens);
  const { numDrafts, numDraftTokens, numAcceptedTokens, numAcceptedTokensPerPos } = stats;
  if (numDrafts === undefined) watchNames(sink, 'specDecodingStats', SPEC_DECODING_STATS_NAMES, stats);
  if (isRecordable(numDrafts)) metrics.specDecodeNumDrafts.add(numDrafts);
  else sink.oddCount(metrics.specDecodeNumDrafts, 'numDrafts', numDrafts);
  if (isRecordable(numDraftTokens)) metrics.specDecodeNumDraftTokens.add(numDraftTokens);
  else sink.oddCount(metrics.specDecodeNumDraftTokens, 'numDraftTokens', numDraftTokens);
  if (isRecordable(numAcceptedTokens)) metrics.specDecodeNumAcceptedTokens.add(numAcceptedTokens);
  else sink.oddCount(metrics.specDecodeNumAcceptedTokens, 'numAcceptedTokens', numAcceptedTokens);
  if (sink.isList('numAcceptedTokensPerPos', numAcceptedTokensPerPos)) {
    recordPositions(sink, engine, numAcceptedTokensPerPos);
  }
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
  const positions = Math.min(perPos.length, MAX_DRAFT_POSITIONS);
  if (positions > handles.length) engine.standDraftPositions(positions);
  for (let i = 0; i < positions; i++) {
    const accepted = perPos[i];
    if (isRecordable(accepted)) handles[i]!.add(accepted);
    else sink.oddCount(handles[i]!, 'numAcceptedTokensPerPos', accepted);
  }
  if (positions === perPos.length) return;
  const message = `expected at most ${MAX_DRAFT_POSITIONS} positions, ignored the rest`;
  sink.report('numAcceptedTokensPerPos', message, perPos.length);
}

/** @see vllm/v1/metrics/perf.py `PerfMetricsProm.observe` */
export function recordPerf(sink: StatsSink, metrics: EngineHandles, stats: PerfStats): void {
  const { numFlopsPerGpu, numReadBytesPerGpu, numWriteBytesPerGpu } = stats;
  if (numFlopsPerGpu === undefined) watchNames(sink, 'perfStats', PERF_STATS_NAMES, stats);
  if (isRecordable(numFlopsPerGpu)) metrics.estimatedFlopsPerGpu.add(numFlopsPerGpu);
  else sink.oddCount(metrics.estimatedFlopsPerGpu, 'numFlopsPerGpu', numFlopsPerGpu);
  if (isRecordable(numReadBytesPerGpu)) metrics.estimatedReadBytesPerGpu.add(numReadBytesPerGpu);
  else sink.oddCount(metrics.estimatedReadBytesPerGpu, 'numReadBytesPerGpu', numReadBytesPerGpu);
  if (isRecordable(numWriteBytesPerGpu)) metrics.estimatedWriteBytesPerGpu.add(numWriteBytesPerGpu);
  else sink.oddCount(metrics.estimatedWriteBytesPerGpu, 'numWriteBytesPerGpu', numWriteBytesPerGpu);
}

/** One sample per sampled block that was evicted, and one per gap between its last accesses, in seconds. */
export function recordEvictions(sink: StatsSink, metrics: EngineHandles, events: unknown): void {
  if (!sink.isList('kvCacheEvictionEvents', events)) return;
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
