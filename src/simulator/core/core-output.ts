import type { FinishReason } from '../../engine-core/engine-core-event.js';
import type { EngineCoreOutput } from '../../engine-core/engine-core-outputs.js';
import type { LiveRequest } from './live-request.js';

/** Token ids mean nothing here, so outputs of one length share one list: nothing a token is allocated. */
const TOKEN_LISTS: (readonly number[])[] = [];

/** A list of `count` token ids. */
export function tokenIds(count: number): readonly number[] {
  TOKEN_LISTS[count] ??= Array.from({ length: count }, (_, index) => 1000 + index);
  return TOKEN_LISTS[count];
}

/**
 * A request's next output; takes its buffered events and prefill stats along. Every field is written, in one
 * order: outputs of several shapes cost their readers 20 ns each.
 */
export function coreOutput(
  request: LiveRequest,
  newTokenIds: readonly number[],
  finishReason: FinishReason | undefined,
): EngineCoreOutput {
  const { events, prefillStats } = request;
  request.events = undefined;
  request.prefillStats = undefined;
  return {
    requestId: request.requestId,
    newTokenIds,
    newLogprobs: undefined,
    newPromptLogprobsTensors: undefined,
    poolingOutput: undefined,
    finishReason,
    stopReason: undefined,
    events,
    kvTransferParams: undefined,
    ecTransferParams: undefined,
    traceHeaders: undefined,
    prefillStats,
    routedExperts: undefined,
    numNansInLogits: 0,
    mmCacheMissHashes: undefined,
    newSamplingMask: undefined,
    specDecodeMetrics: undefined,
    promptTokenIdLogprobs: undefined,
  };
}
