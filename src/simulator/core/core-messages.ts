/** The messages of an engine core. Every field is written, in one order: objects of several shapes cost readers 20 ns each. */
import type { FinishReason } from '../../engine-core/engine-core-event.js';
import type { EngineCoreOutput, EngineCoreOutputs } from '../../engine-core/engine-core-outputs.js';
import type { SchedulerStats } from '../../engine-core/scheduler-stats.js';
import type { LiveRequest } from './live-request.js';

/** Token ids mean nothing here, so outputs of one length share one list: nothing a token is allocated. */
const TOKEN_LISTS: (readonly number[])[] = [];

/** A list of `count` token ids. */
export function tokenIds(count: number): readonly number[] {
  TOKEN_LISTS[count] ??= Array.from({ length: count }, (_, index) => 1000 + index);
  return TOKEN_LISTS[count];
}

/** A request's next output; takes its buffered events and prefill stats along. */
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

/** One step's batch; `timestamp` in seconds, engine clock. */
export function coreBatch(
  engineIndex: number,
  outputs: readonly EngineCoreOutput[],
  schedulerStats: SchedulerStats | undefined,
  timestamp: number,
  finishedRequests: readonly string[] | undefined,
  waveComplete: number | undefined,
): EngineCoreOutputs {
  return {
    engineIndex,
    outputs,
    schedulerStats,
    timestamp,
    utilityOutput: undefined,
    finishedRequests,
    waveComplete,
    startWave: undefined,
  };
}
