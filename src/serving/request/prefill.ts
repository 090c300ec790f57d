/** Where a request's prompt tokens came from, read from its first prefill stats. */

import type { PrefillStats } from '../../engine-core/engine-core-outputs.js';
import { isRecordable } from '../../metric/handle.js';
import type { Reporter } from '../diagnostics.js';

/** Parts that add up to the prompt, or a total alone. */
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

function totalOnly(numPromptTokens: number): PrefillRecord {
  return recordOf(numPromptTokens, 0, 0, 0);
}

/** A count that holds, 0 if it is absent (its wire default); undefined if it is unusable, which is reported. */
function countOf(reporter: Reporter, field: PrefillField, value: unknown): number | undefined {
  if (value === undefined || value === null) return 0;
  if (isRecordable(value)) return value;
  reporter.report(field, 'expected a count, took none', value);
  return undefined;
}

type PrefillField =
  | 'numPromptTokens'
  | 'numComputedTokens'
  | 'numCachedTokens'
  | 'numLocalCachedTokens'
  | 'numExternalCachedTokens';

/**
 * Parts are taken only if they add up to the prompt: a part that is wrong would make the by-source counters lie.
 * Otherwise the total alone counts, the stats' own if it is valid, else the request's.
 * @see vllm/v1/metrics/stats.py `PromptTokenStats`
 */
export function readPrefill(stats: PrefillStats, numPromptTokens: number, reporter: Reporter): PrefillRecord {
  const { numComputedTokens, numLocalCachedTokens, numExternalCachedTokens, numCachedTokens } = stats;
  const total = stats.numPromptTokens;
  // One gate for the usual stats, whose fields are all there and add up.
  if (
    isRecordable(total) &&
    isRecordable(numComputedTokens) &&
    isRecordable(numLocalCachedTokens) &&
    isRecordable(numExternalCachedTokens) &&
    numCachedTokens === numLocalCachedTokens + numExternalCachedTokens &&
    numComputedTokens + numCachedTokens === total
  ) {
    return recordOf(total, numComputedTokens, numLocalCachedTokens, numExternalCachedTokens);
  }
  return readOddPrefill(stats, numPromptTokens, reporter);
}

/** Stats of which a field is absent or wrong. */
function readOddPrefill(stats: PrefillStats, numPromptTokens: number, reporter: Reporter): PrefillRecord {
  const total = countOf(reporter, 'numPromptTokens', stats.numPromptTokens);
  const computed = countOf(reporter, 'numComputedTokens', stats.numComputedTokens);
  const local = countOf(reporter, 'numLocalCachedTokens', stats.numLocalCachedTokens);
  const external = countOf(reporter, 'numExternalCachedTokens', stats.numExternalCachedTokens);
  const cached = countOf(reporter, 'numCachedTokens', stats.numCachedTokens);
  if (total === undefined) return totalOnly(numPromptTokens);
  if (computed === undefined || local === undefined || external === undefined) return totalOnly(total);
  if (computed + local + external !== total) {
    reporter.report(
      'prefillStats',
      'expected parts that add up to numPromptTokens, took the total alone',
      stats,
    );
    return totalOnly(total);
  }
  const numCachedTokens = local + external;
  const absent = stats.numCachedTokens === undefined || stats.numCachedTokens === null;
  if (!absent && cached !== undefined && cached !== numCachedTokens) {
    reporter.report('numCachedTokens', `expected ${numCachedTokens}, took that`, cached);
  }
  return recordOf(total, computed, local, external);
}
