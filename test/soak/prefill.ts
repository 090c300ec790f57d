import type { PrefillStats } from '../../src/index.js';

export interface Prefill {
  readonly total: number;
  readonly computed: number;
  readonly local: number;
  readonly external: number;
  readonly hasParts: boolean;
}

/** The prompt's length is the engine's figure; parts count if they add up to it, else the total alone; what is no struct is as if it were not there. */
export function prefillOf(stats: unknown, told: number, odd: (source: string) => void): Prefill | undefined {
  if (typeof stats !== 'object' || stats === null) {
    odd('prefillStats');
    return undefined;
  }
  const { numPromptTokens, numComputedTokens, numLocalCachedTokens, numExternalCachedTokens } =
    stats as Required<PrefillStats>;
  const parts = {
    computed: numComputedTokens ?? 0,
    local: numLocalCachedTokens ?? 0,
    external: numExternalCachedTokens ?? 0,
  };
  const total = numPromptTokens ?? told;
  if (total !== told) odd('numPromptTokens');
  if (parts.computed + parts.local + parts.external === total) return { total, ...parts, hasParts: true };
  odd('prefillStats');
  return { total, computed: 0, local: 0, external: 0, hasParts: false };
}
