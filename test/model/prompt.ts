/** Where a prompt's tokens came from, by the recording rules. */
import type { PrefillStats } from '../../src/index.js';
import type { Sheet } from './sheet.js';

export interface Prefill {
  /** Undefined: the engine did not say. */
  readonly length: number | undefined;
  readonly computed: number;
  readonly local: number;
  readonly external: number;
  /** The parts add up to the length, so they count. */
  readonly addsUp: boolean;
}

/** A request without prefill stats: its whole prompt was computed. */
export function computedHere(length: number): Prefill {
  return { length, computed: length, local: 0, external: 0, addsUp: true };
}

/** What an engine sent as prefill stats; what is no struct is as if it were not there. `told` is the request's figure. */
export function readPrefill(stats: unknown, told: number | undefined, sheet: Sheet): Prefill | undefined {
  if (typeof stats !== 'object' || stats === null) {
    sheet.odd('prefillStats');
    return undefined;
  }
  const { numPromptTokens, numComputedTokens, numLocalCachedTokens, numExternalCachedTokens } =
    stats as PrefillStats;
  const length = numPromptTokens ?? undefined;
  const [computed, local, external] = [
    numComputedTokens ?? 0,
    numLocalCachedTokens ?? 0,
    numExternalCachedTokens ?? 0,
  ];
  const addsUp = computed + local + external === (length ?? told ?? 0);
  if (length !== undefined && told !== undefined && length !== told) sheet.odd('numPromptTokens');
  if (!addsUp) sheet.odd('prefillStats');
  return { length, computed, local, external, addsUp };
}

export function cachedTokens(prefill: Prefill | undefined): number {
  return prefill?.addsUp ? prefill.local + prefill.external : 0;
}

/** Counts a prompt of this length: by source if the parts add up to it, else the total alone. */
export function countPrompt(sheet: Sheet, engine: number, length: number, prefill: Prefill): void {
  sheet.add('prompt_tokens_total', engine, length);
  if (!prefill.addsUp) return;
  const add = (source: string, n: number) =>
    sheet.add('prompt_tokens_by_source_total', engine, n, { source });
  add('local_compute', prefill.computed);
  add('local_cache_hit', prefill.local);
  add('external_kv_transfer', prefill.external);
  sheet.add('prompt_tokens_cached_total', engine, cachedTokens(prefill));
}
