/**
 * What a step did: speculative decoding, model FLOPs utilisation, evicted KV blocks.
 * The checks of the usual fields stand here, not behind the sink's methods: `isRecordable` is small enough for V8 to
 * inline everywhere, those methods together are not, and calls would take a third of a record's time (Node 20).
 */

import type { PerfStats, SpecDecodingStats } from '../../engine-core/scheduler-stats.js';
import { isRecordable } from '../../metric/handle.js';
import type { EngineHandles } from '../engines/engine-handles.js';
import type { InstanceEngine } from '../engines/instance-engine.js';
import type { StatsSink } from './stats-sink.js';

/** Draft positions beyond it are ignored: a hostile payload must not grow the page. */
const MAX_DRAFT_POSITION = 255;

/** @see vllm/v1/spec_decode/metrics.py `SpecDecodingProm.observe` */
export function recordSpecDecoding(sink: StatsSink, engine: InstanceEngine, stats: SpecDecodingStats): void {
  const { metrics } = engine;
  const { numDrafts, numDraftTokens, numAcceptedTokens, numAcceptedTokensPerPos } = stats;
  if (isRecordable(numDrafts)) metrics.specDecodeNumDrafts.add(numDrafts);
  else sink.oddCount('numDrafts', numDrafts);
  if (isRecordable(numDraftTokens)) metrics.specDecodeNumDraftTokens.add(numDraftTokens);
  else sink.oddCount('numDraftTokens', numDraftTokens);
  if (isRecordable(numAcceptedTokens)) metrics.specDecodeNumAcceptedTokens.add(numAcceptedTokens);
  else sink.oddCount('numAcceptedTokens', numAcceptedTokens);
  if (sink.isList('numAcceptedTokensPerPos', numAcceptedTokensPerPos)) {
    recordPositions(sink, engine, numAcceptedTokensPerPos);
  }
}

function recordPositions(sink: StatsSink, engine: InstanceEngine, perPos: readonly unknown[]): void {
  const handles = engine.metrics.specDecodeNumAcceptedTokensPerPos;
  const positions = Math.min(perPos.length, MAX_DRAFT_POSITION + 1);
  for (let i = 0; i < positions; i++) {
    const accepted = perPos[i];
    const handle = i < handles.length ? handles[i]! : engine.draftPosition(i);
    if (isRecordable(accepted)) handle.add(accepted);
    else sink.oddCount('numAcceptedTokensPerPos', accepted);
  }
  if (positions === perPos.length) return;
  const message = `expected at most ${MAX_DRAFT_POSITION + 1} positions, ignored the rest`;
  sink.report('numAcceptedTokensPerPos', message, perPos.length);
}

/** @see vllm/v1/metrics/perf.py `PerfMetricsProm.observe` */
export function recordPerf(sink: StatsSink, metrics: EngineHandles, stats: PerfStats): void {
  const { numFlopsPerGpu, numReadBytesPerGpu, numWriteBytesPerGpu } = stats;
  if (isRecordable(numFlopsPerGpu)) metrics.estimatedFlopsPerGpu.add(numFlopsPerGpu);
  else sink.oddCount('numFlopsPerGpu', numFlopsPerGpu);
  if (isRecordable(numReadBytesPerGpu)) metrics.estimatedReadBytesPerGpu.add(numReadBytesPerGpu);
  else sink.oddCount('numReadBytesPerGpu', numReadBytesPerGpu);
  if (isRecordable(numWriteBytesPerGpu)) metrics.estimatedWriteBytesPerGpu.add(numWriteBytesPerGpu);
  else sink.oddCount('numWriteBytesPerGpu', numWriteBytesPerGpu);
}

/** One sample per sampled block that was evicted, and one per gap between its last accesses, in seconds. */
export function recordEvictions(sink: StatsSink, metrics: EngineHandles, events: unknown): void {
  if (!sink.isList('kvCacheEvictionEvents', events)) return;
  const { kvBlockLifetimeSeconds, kvBlockIdleBeforeEvictSeconds, kvBlockReuseGapSeconds } = metrics;
  for (let i = 0; i < events.length; i++) {
    const event = events[i];
    if (!sink.isStruct('kvCacheEvictionEvents', event)) continue;
    const { lifetimeSeconds, idleSeconds, reuseGapsSeconds } = event as Record<string, unknown>;
    sink.observe(kvBlockLifetimeSeconds, 'lifetimeSeconds', lifetimeSeconds);
    sink.observe(kvBlockIdleBeforeEvictSeconds, 'idleSeconds', idleSeconds);
    sink.observeAll(kvBlockReuseGapSeconds, 'reuseGapsSeconds', reuseGapsSeconds);
  }
}
