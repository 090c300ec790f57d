import type { FinishReason } from '../../engine-core/engine-core-event.js';
import { isRecordable } from '../../metric/handle.js';
import type { FinishedRequestStats } from '../finished-request-stats.js';
import type { RequestState } from './request-state.js';

/** Seconds between two engine stamps; 0 if one is missing or they are out of order. */
function secondsBetween(start: number, end: number): number {
  const seconds = end - start;
  return isRecordable(seconds) ? seconds : 0;
}

/** A request's state at its end, for those who listen to `finishedRequests`. */
export function finishedStats(
  state: RequestState,
  finishReason: FinishReason,
  e2eLatency: number,
  lastTokenTs: number,
): FinishedRequestStats {
  const { plan, timeToFirstToken, scheduledTs, firstTokenTs, numGenerationTokens } = state;
  const { requestId, loraName, maxTokens } = plan;
  const decodeTime = secondsBetween(firstTokenTs, lastTokenTs);
  return {
    ...(requestId !== undefined && { requestId }),
    modelName: state.context.modelName,
    engineIndex: plan.engineIndex,
    finishReason,
    ...(loraName !== undefined && { loraName }),
    numPromptTokens: plan.numPromptTokens,
    numCachedTokens: state.prefill?.numCachedTokens ?? 0,
    numGenerationTokens,
    numPreemptions: state.numPreemptions,
    ...(maxTokens !== undefined && { maxTokens }),
    n: plan.parent?.n ?? plan.n,
    ...(!Number.isNaN(timeToFirstToken) && { timeToFirstToken }),
    e2eLatency,
    queuedTime: secondsBetween(state.queuedTs, scheduledTs),
    prefillTime: secondsBetween(scheduledTs, firstTokenTs),
    decodeTime,
    inferenceTime: secondsBetween(scheduledTs, lastTokenTs),
    meanTimePerOutputToken: numGenerationTokens > 1 ? decodeTime / (numGenerationTokens - 1) : 0,
  };
}
