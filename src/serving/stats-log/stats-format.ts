import { toFixedHalfEven, toWhole } from './stats-fixed.js';
import type { StatsLogMfu, StatsLogSpecDecoding, StatsLogStats } from './stats-log-entry.js';

const percent = (fraction: number): string => `${toFixedHalfEven(fraction * 100, 1)}%`;

function prefixOf({ engineIndex, numEngines }: StatsLogStats): string {
  return engineIndex === undefined
    ? `${toWhole(numEngines)} Engines Aggregated: `
    : `Engine ${String(engineIndex).padStart(3, '0')}: `;
}

function mainParts(stats: StatsLogStats): string[] {
  const { numDeferred, numPreemptions, numCorrupted, externalPrefixCacheHitRate, mmCacheHitRate } = stats;
  const parts = [
    `Avg prompt throughput: ${toFixedHalfEven(stats.promptThroughput, 1)} tokens/s`,
    `Avg generation throughput: ${toFixedHalfEven(stats.generationThroughput, 1)} tokens/s`,
    `Running: ${toWhole(stats.numRunning)} reqs`,
    `Waiting: ${toWhole(stats.numWaiting)} reqs`,
  ];
  if (numDeferred > 0) parts.push(`Deferred: ${toWhole(numDeferred)} reqs`);
  if (numPreemptions > 0) parts.push(`Preemptions: ${toWhole(numPreemptions)}`);
  parts.push(`GPU KV cache usage: ${percent(stats.kvCacheUsage)}`);
  parts.push(`Prefix cache hit rate: ${percent(stats.prefixCacheHitRate)}`);
  if (numCorrupted > 0) parts.push(`Corrupted: ${toWhole(numCorrupted)} reqs`);
  if (externalPrefixCacheHitRate !== undefined) {
    parts.push(`External prefix cache hit rate: ${percent(externalPrefixCacheHitRate)}`);
  }
  if (mmCacheHitRate !== undefined) parts.push(`MM cache hit rate: ${percent(mmCacheHitRate)}`);
  return parts;
}

function specDecodingLine(stats: StatsLogSpecDecoding): string {
  const rates = stats.perPositionAcceptanceRates.map((rate) => toFixedHalfEven(rate, 3));
  const parts = [
    `Mean acceptance length: ${toFixedHalfEven(stats.meanAcceptanceLength, 2)}`,
    `Accepted throughput: ${toFixedHalfEven(stats.acceptedThroughput, 2)} tokens/s`,
    `Drafted throughput: ${toFixedHalfEven(stats.draftedThroughput, 2)} tokens/s`,
    `Accepted: ${toWhole(stats.acceptedTokens)} tokens`,
    `Drafted: ${toWhole(stats.draftedTokens)} tokens`,
    `Per-position acceptance rate: ${rates.join(', ')}`,
    `Avg Draft acceptance rate: ${percent(stats.draftAcceptanceRate)}`,
  ];
  return `SpecDecoding metrics: ${parts.join(', ')}`;
}

function mfuText({ tflopsPerGpu, gbytesPerSecondPerGpu }: StatsLogMfu): string {
  return `MFU: ${toFixedHalfEven(tflopsPerGpu, 1)} TF/s/GPU ${toFixedHalfEven(gbytesPerSecondPerGpu, 1)} GB/s/GPU`;
}

/**
 * The lines of one stats log entry in vLLM's wording, the main line first. Numbers are rounded as Python rounds them.
 * @see vllm/v1/metrics/loggers.py `LoggingStatLogger.log`; vllm/v1/spec_decode/metrics.py; vllm/v1/metrics/perf.py
 */
export function formatStatsLog(stats: StatsLogStats): string[] {
  const prefix = prefixOf(stats);
  const lines = [prefix + mainParts(stats).join(', ')];
  if (stats.specDecoding !== undefined) lines.push(specDecodingLine(stats.specDecoding));
  if (stats.mfu !== undefined) lines.push(prefix + mfuText(stats.mfu));
  return lines;
}
