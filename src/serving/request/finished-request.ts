import type { FinishReason } from '../../engine-core/engine-core-event.js';
import { isRecordable } from '../../metric/handle.js';
import type { FinishedRequestStats } from '../finished-request-stats.js';
import { durationsOf } from './request-durations.js';
import type { RequestState } from './request-state.js';

/** A duration as it is shown: 0 if an end is missing or the stamps are out of order. */
function shown(seconds: number): number {
  return isRecordable(seconds) ? seconds : 0;
}

/** A request's state at its end, for those who listen to `finishedRequests`. */
export function finishedStats(
  state: RequestState,
  finishReason: FinishReason,
  e2eLatency: number,
  lastTokenTs: number,
): FinishedRequestStats {
  const { plan, timeToFirstToken, numGenerationTokens } = state;
  const { requestId, loraName, maxTokens } = plan;
  const { queued, prefill, decode, inference } = durationsOf(state, lastTokenTs);
  const decodeTime = shown(decode);
  const engineTimings = state.told?.engineTimings;
  return {
    ...(requestId !== undefined && { requestId }),
    modelName: state.context.modelName,
    engineIndex: plan.engineIndex,
    finishReason,
    ...(loraName !== undefined && { loraName }),
    numPromptTokens: state.numPromptTokens,
    numCachedTokens: state.prefill?.numCachedTokens ?? 0,
    numGenerationTokens,
    numPreemptions: state.numPreemptions,
    ...(maxTokens !== undefined && { maxTokens }),
    n: plan.parent?.n ?? plan.n,
    ...(!Number.isNaN(timeToFirstToken) && { timeToFirstToken }),
    e2eLatency,
    queuedTime: shown(queued),
    prefillTime: shown(prefill),
    decodeTime,
    inferenceTime: shown(inference),
    ...(engineTimings !== undefined && { engineTimings }),
    meanTimePerOutputToken: numGenerationTokens > 1 ? decodeTime / (numGenerationTokens - 1) : 0,
  };
}
