/** Where a prompt's tokens came from, by the recording rules. */
import type { PrefillStats } from '../../src/index.js';
import type { ReferencePage } from './page.js';

/** A request without prefill stats: its whole prompt was computed. */
export function computedHere(numPromptTokens: number): PrefillStats {
  return {
    numPromptTokens,
    numComputedTokens: numPromptTokens,
    numLocalCachedTokens: 0,
    numExternalCachedTokens: 0,
  };
}

function addsUp(stats: PrefillStats): boolean {
  const { numComputedTokens, numLocalCachedTokens, numExternalCachedTokens } = stats;
  return numComputedTokens! + numLocalCachedTokens! + numExternalCachedTokens! === stats.numPromptTokens;
}

export function cachedTokens(stats: PrefillStats | undefined): number {
  if (stats === undefined || !addsUp(stats)) return 0;
  return stats.numLocalCachedTokens! + stats.numExternalCachedTokens!;
}

/** Counts a prompt: by source if the parts add up to it, else the total alone. */
export function countPrompt(page: ReferencePage, engine: number, stats: PrefillStats): void {
  page.add('prompt_tokens_total', engine, stats.numPromptTokens!);
  if (!addsUp(stats)) return;
  const add = (source: string, n: number) => page.add('prompt_tokens_by_source_total', engine, n, { source });
  add('local_compute', stats.numComputedTokens!);
  add('local_cache_hit', stats.numLocalCachedTokens!);
  add('external_kv_transfer', stats.numExternalCachedTokens!);
  page.add('prompt_tokens_cached_total', engine, cachedTokens(stats));
}
