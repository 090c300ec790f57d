import type { FinishReason } from '../../engine-core/engine-core-outputs.js';
import { LARGEST } from '../../metric/handle.js';
import type { RequestState } from './request-state.js';

/**
 * One ended request, in vLLM's names. Durations in seconds; one with a missing end is 0.
 * @see vllm/v1/metrics/stats.py `FinishedRequestStats`
 */
export interface FinishedRequestStats {
  readonly requestId?: string;
  readonly modelName: string;
  readonly engineIndex: number;
  readonly finishReason: FinishReason;
  readonly loraName?: string;
  readonly numPromptTokens: number;
  readonly numCachedTokens: number;
  readonly numGenerationTokens: number;
  readonly numPreemptions: number;
  readonly maxTokens?: number;
  readonly n: number;
  /** Frontend clock; absent if no token came. */
  readonly timeToFirstToken?: number;
  /** Frontend clock. */
  readonly e2eLatency: number;
  readonly queuedTime: number;
  readonly prefillTime: number;
  readonly decodeTime: number;
  readonly inferenceTime: number;
  readonly meanTimePerOutputToken: number;
}

/** Seconds between two engine stamps; 0 if one is missing or they are out of order. */
function secondsBetween(start: number, end: number): number {
  const seconds = end - start;
  return seconds >= 0 && seconds <= LARGEST ? seconds : 0;
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
