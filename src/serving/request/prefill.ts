/** Where a request's prompt tokens came from, read from its first prefill stats. */

import type { PrefillStats } from '../../engine-core/engine-core-outputs.js';
import { isRecordable } from '../../metric/handle.js';
import type { Reporter } from '../diagnostics.js';
import { PREFILL_STATS_NAMES, watchNames } from '../known-names.js';
import { plainNumber } from '../plain-number.js';

/** A prompt's length, and the parts that add up to it; without any of them the length alone is known. */
export interface PrefillRecord {
  readonly numPromptTokens: number;
  readonly numComputedTokens: number;
  readonly numLocalCachedTokens: number;
  readonly numExternalCachedTokens: number;
  /** Local and external. */
  readonly numCachedTokens: number;
}

/** One shape for all records. */
function recordOf(
  numPromptTokens: number,
  numComputedTokens: number,
  numLocalCachedTokens: number,
  numExternalCachedTokens: number,
): PrefillRecord {
  return {
    numPromptTokens,
    numComputedTokens,
    numLocalCachedTokens,
    numExternalCachedTokens,
    numCachedTokens: numLocalCachedTokens + numExternalCachedTokens,
  };
}

/** A prompt of which only the length is known, all of it computed here. */
export function computedPrefill(numPromptTokens: number): PrefillRecord {
  return recordOf(numPromptTokens, numPromptTokens, 0, 0);
}

/** A prompt of which a part was found in the engine's own cache. */
export function cachedPrefill(numPromptTokens: number, numCachedTokens: number): PrefillRecord {
  return recordOf(numPromptTokens, numPromptTokens - numCachedTokens, numCachedTokens, 0);
}

function lengthOnly(numPromptTokens: number): PrefillRecord {
  return recordOf(numPromptTokens, 0, 0, 0);
}

type PrefillField =
  | 'numPromptTokens'
  | 'numComputedTokens'
  | 'numCachedTokens'
  | 'numLocalCachedTokens'
  | 'numExternalCachedTokens';

/** A count that holds; undefined if it is absent, NaN if it is unusable, which is reported. */
function countOf(reporter: Reporter, field: PrefillField, value: unknown): number | undefined {
  if (value === undefined || value === null) return undefined;
  const count = plainNumber(value);
  if (isRecordable(count)) return count;
  reporter.report(field, 'expected a count, took none', value);
  return Number.NaN;
}

/**
 * Parts are taken only if they add up to the prompt: a part that is wrong would make the by-source counters lie.
 * The prompt's length is the engine's figure if that is valid, else what the request was `told`: only the engine knows
 * how many tokens a text makes.
 * @see vllm/v1/metrics/stats.py `PromptTokenStats`
 */
export function readPrefill(
  stats: PrefillStats,
  told: number | undefined,
  reporter: Reporter,
): PrefillRecord {
  const { numComputedTokens, numLocalCachedTokens, numExternalCachedTokens, numCachedTokens } = stats;
  const total = stats.numPromptTokens;
  // One gate for the usual stats, whose fields are all there and add up.
  if (
    isRecordable(total) &&
    isRecordable(numComputedTokens) &&
    isRecordable(numLocalCachedTokens) &&
    isRecordable(numExternalCachedTokens) &&
    numCachedTokens === numLocalCachedTokens + numExternalCachedTokens &&
    numComputedTokens + numCachedTokens === total &&
    (told === undefined || told === total)
  ) {
    return recordOf(total, numComputedTokens, numLocalCachedTokens, numExternalCachedTokens);
  }
  return readOddPrefill(stats, told, reporter);
}

/** Stats without a total say nothing of the length; with an unusable one nothing adds up to it. */
function lengthOf(total: number | undefined, told: number | undefined, reporter: Reporter): number {
  if (total === undefined || Number.isNaN(total)) return told ?? 0;
  if (told !== undefined && told !== total) {
    reporter.report(
      'numPromptTokens',
      `expected ${told}, the request's own, took the engine's figure`,
      total,
    );
  }
  return total;
}

/** Stats of which a field is absent or wrong, or whose total is not what the request says. */
function readOddPrefill(stats: PrefillStats, told: number | undefined, reporter: Reporter): PrefillRecord {
  const total = countOf(reporter, 'numPromptTokens', stats.numPromptTokens);
  const length = lengthOf(total, told, reporter);
  const computed = countOf(reporter, 'numComputedTokens', stats.numComputedTokens);
  const local = countOf(reporter, 'numLocalCachedTokens', stats.numLocalCachedTokens);
  const external = countOf(reporter, 'numExternalCachedTokens', stats.numExternalCachedTokens);
  const cached = countOf(reporter, 'numCachedTokens', stats.numCachedTokens);
  if (computed === undefined && local === undefined && external === undefined) {
    watchNames(reporter, 'prefillStats', PREFILL_STATS_NAMES, stats);
    if (total === undefined) return lengthOnly(length);
  }
  const record = recordOf(length, computed ?? 0, local ?? 0, external ?? 0);
  const sum = record.numComputedTokens + record.numCachedTokens;
  if (Number.isNaN(sum) || Number.isNaN(total)) return lengthOnly(length);
  if (sum !== length) {
    const expected = 'expected parts that add up to numPromptTokens, took the total alone';
    reporter.report('prefillStats', expected, stats);
    return lengthOnly(length);
  }
  if (cached !== undefined && !Number.isNaN(cached) && cached !== record.numCachedTokens) {
    reporter.report('numCachedTokens', `expected ${record.numCachedTokens}, took that`, cached);
  }
  return record;
}
