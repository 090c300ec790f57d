/** The figures behind the stats log's further lines. */
import type { StatsLogMfu, StatsLogSpecDecoding } from './stats-log-entry.js';
import { type EngineIntervals, sum } from './stats-sum.js';

/**
 * Speculative decoding in an interval of so many seconds; undefined without drafts.
 * @see vllm/v1/spec_decode/metrics.py `SpecDecodingLogging.log`
 */
export function specDecodingOf(engines: EngineIntervals, seconds: number): StatsLogSpecDecoding | undefined {
  const drafts = sum(engines, (engine) => engine.drafts.value);
  if (drafts === 0) return undefined;
  const acceptedTokens = sum(engines, (engine) => engine.acceptedTokens.value);
  const draftedTokens = sum(engines, (engine) => engine.draftedTokens.value);
  const numPositions = Math.max(...engines.map((engine) => engine.acceptedPerPosition.length));
  return {
    meanAcceptanceLength: 1 + acceptedTokens / drafts,
    acceptedThroughput: acceptedTokens / seconds,
    draftedThroughput: draftedTokens / seconds,
    acceptedTokens,
    draftedTokens,
    perPositionAcceptanceRates: Array.from(
      { length: numPositions },
      (_, position) => sum(engines, (engine) => engine.acceptedPerPosition[position]?.value ?? 0) / drafts,
    ),
    draftAcceptanceRate: draftedTokens > 0 ? acceptedTokens / draftedTokens : Number.NaN,
  };
}

/**
 * Estimated work in an interval of so many seconds, the mean over engines; undefined if the estimates did not move.
 * @see vllm/v1/metrics/perf.py `PerfMetricsLogging.log`; rust/src/metrics `StatsLogger`
 */
export function mfuOf(engines: EngineIntervals, seconds: number): StatsLogMfu | undefined {
  const flops = sum(engines, (engine) => engine.flops.value);
  const bytes = sum(engines, (engine) => engine.readBytes.value + engine.writeBytes.value);
  if (flops === 0 && bytes === 0) return undefined;
  return {
    tflopsPerGpu: flops / engines.length / seconds / 1e12,
    gbytesPerSecondPerGpu: bytes / engines.length / seconds / 1e9,
  };
}
