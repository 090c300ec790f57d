/** Where a request's prompt tokens came from, read from its first prefill stats. */
import { isRecordable } from '../metric/handle.js';
import type { DiagnosticSource } from './diagnostics.js';
import type { PrefillStats } from './engine-core.js';

/** Reports an odd value of the request at hand. */
export type Report = (source: DiagnosticSource, message: string, value: unknown) => void;

/** Parts that add up to the prompt, or a total alone. */
export interface PrefillRecord {
  readonly numPromptTokens: number;
  readonly hasParts: boolean;
  readonly numComputedTokens: number;
  readonly numLocalCachedTokens: number;
  readonly numExternalCachedTokens: number;
  /** Local and external. */
  readonly numCachedTokens: number;
}

type Field = keyof PrefillStats & Exclude<keyof PrefillStats, 'numCacheCreationTokens'>;

/** A field's number; 0 if it is absent (its wire default), undefined if it is unusable. */
function readCount(stats: PrefillStats, field: Field, report: Report): number | undefined {
  const value: unknown = stats[field] ?? 0;
  if (isRecordable(value)) return value;
  report(`prefillStats.${field}`, 'expected a count, took none', value);
  return undefined;
}

/** A prompt of which only the length is known, all of it computed here. */
export function computedPrefill(numPromptTokens: number): PrefillRecord {
  return {
    numPromptTokens,
    hasParts: true,
    numComputedTokens: numPromptTokens,
    numLocalCachedTokens: 0,
    numExternalCachedTokens: 0,
    numCachedTokens: 0,
  };
}

function totalOnly(numPromptTokens: number): PrefillRecord {
  return { ...computedPrefill(numPromptTokens), hasParts: false, numComputedTokens: 0 };
}

/**
 * Parts are taken only if they add up to the prompt: a part that is wrong would make the by-source counters lie.
 * Otherwise the total alone counts, the stats' own if it is valid, else the request's.
 * @see vllm/v1/metrics/stats.py `PromptTokenStats`
 */
export function readPrefill(stats: PrefillStats, numPromptTokens: number, report: Report): PrefillRecord {
  const total = readCount(stats, 'numPromptTokens', report);
  const computed = readCount(stats, 'numComputedTokens', report);
  const local = readCount(stats, 'numLocalCachedTokens', report);
  const external = readCount(stats, 'numExternalCachedTokens', report);
  const cached = readCount(stats, 'numCachedTokens', report);
  if (total === undefined) return totalOnly(numPromptTokens);
  if (computed === undefined || local === undefined || external === undefined) return totalOnly(total);
  if (computed + local + external !== total) {
    report('prefillStats', 'expected parts that add up to numPromptTokens, took the total alone', stats);
    return totalOnly(total);
  }
  const numCachedTokens = local + external;
  if (cached !== undefined && cached !== numCachedTokens) {
    report(
      'prefillStats.numCachedTokens',
      `expected local + external = ${numCachedTokens}, took that`,
      cached,
    );
  }
  return {
    numPromptTokens: total,
    hasParts: true,
    numComputedTokens: computed,
    numLocalCachedTokens: local,
    numExternalCachedTokens: external,
    numCachedTokens,
  };
}
