/** The stats log's lines, with numbers as Python's `%.1f` and `%d` print them. */
import type { StatsLogMfu, StatsLogSpecDecoding, StatsLogStats } from './entry.js';

function pythonSpecial(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  return value > 0 ? 'inf' : '-inf';
}

/**
 * A number with so many decimals, an exact half rounded to the even digit as Python does; `toFixed` rounds it away
 * from zero (6.25 is `6.2` here and 6.3 there). Both go by the exact binary value, so only true halves differ.
 */
export function toFixedHalfEven(value: number, decimals: number): string {
  if (!Number.isFinite(value)) return pythonSpecial(value);
  // From here on `toFixed` answers with an exponent; such a number has no fraction.
  if (Math.abs(value) >= 1e21) return `${BigInt(value)}${decimals > 0 ? `.${'0'.repeat(decimals)}` : ''}`;
  const text = value.toFixed(decimals);
  // A half has the form (2k + 1) / (2 * 10^d); a double can only be one if it is an odd multiple of 2^-(d + 1).
  const isHalf = Math.abs(value * 2 ** (decimals + 1)) % 2 === 1;
  const last = Number(text.at(-1));
  // Rounded up to an odd digit: the even one is just below it, so no digit before it changes.
  return isHalf && last % 2 === 1 ? `${text.slice(0, -1)}${last - 1}` : text;
}

/** A whole number in full, without an exponent; a fraction is cut off. */
export function toWhole(value: number): string {
  return Number.isFinite(value) ? String(BigInt(Math.trunc(value))) : pythonSpecial(value);
}

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
