/** The lifecycle workload: what each request sends, and what all competitors must end with. */
import type { EngineCoreStreamOutput } from '../../../src/engine-core/engine-core-outputs.js';
import { engineOutput } from '../../../src/testing/engine-output.js';

export const ENGINES = 4;
export const OUTPUTS = 128;
export const PROMPT_TOKENS = 512;
export const MAX_TOKENS = 256;

const PREFILL = {
  numPromptTokens: PROMPT_TOKENS,
  numComputedTokens: 400,
  numCachedTokens: 112,
  numLocalCachedTokens: 112,
  numExternalCachedTokens: 0,
  numCacheCreationTokens: 0,
};

/** Growing timestamps with gaps from 5 to 95 ms: several buckets, no pattern a branch predictor learns at once. */
function timestampOf(i: number): number {
  return 10 + i * 0.05 + ((i * 7919) % 97) * 0.0004;
}

function outputs(engineIndex: number, preempted: boolean): readonly EngineCoreStreamOutput[] {
  return Array.from({ length: OUTPUTS }, (_, i) => {
    const timestamp = timestampOf(i);
    if (i === 0) {
      const events = [
        { type: 'queued', timestamp: 8 },
        { type: 'scheduled', timestamp: 9 },
      ] as const;
      return engineOutput(1, { engineIndex, timestamp, events, prefillStats: PREFILL });
    }
    if (preempted && i === 60) {
      const events = [{ type: 'preempted', timestamp: timestamp - 0.01 }] as const;
      return engineOutput(1, { engineIndex, timestamp, events });
    }
    const usual = { engineIndex, timestamp };
    return engineOutput(1, i === OUTPUTS - 1 ? { ...usual, finishReason: 'length' } : usual);
  });
}

const byEngine = (preempted: boolean) => Array.from({ length: ENGINES }, (_, i) => outputs(i, preempted));
const USUAL = byEngine(false);
const PREEMPTED = byEngine(true);

/** The engines take turns; a preemption on every 20th request. */
export function outputsOf(request: number): readonly EngineCoreStreamOutput[] {
  return (request % 20 === 0 ? PREEMPTED : USUAL)[request % ENGINES]!;
}
