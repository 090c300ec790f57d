import type { EngineCoreOutput } from '../../engine-core/engine-core-outputs.js';

/** The fields of an output while it is read; all are there from the start, in one order: one hidden class. */
export type OutputDraft = { -readonly [Name in keyof EngineCoreOutput]: unknown };

export function draftOf(requestId: unknown, newTokenIds: unknown): OutputDraft {
  return {
    requestId,
    newTokenIds,
    newLogprobs: undefined,
    newPromptLogprobsTensors: undefined,
    poolingOutput: undefined,
    finishReason: undefined,
    stopReason: undefined,
    events: undefined,
    kvTransferParams: undefined,
    ecTransferParams: undefined,
    traceHeaders: undefined,
    prefillStats: undefined,
    routedExperts: undefined,
    numNansInLogits: 0,
    mmCacheMissHashes: undefined,
    newSamplingMask: undefined,
    specDecodeMetrics: undefined,
    promptTokenIdLogprobs: undefined,
  };
}
