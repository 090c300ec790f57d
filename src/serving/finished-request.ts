import type { FinishReason } from './engine-core.js';
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

/** A request's durations in seconds; NaN where an end is missing. */
interface Durations {
  readonly e2e: number;
  readonly queued: number;
  readonly prefill: number;
  readonly decode: number;
  readonly inference: number;
  readonly perToken: number;
}

/** A request's state at its end, for those who listen to `finishedRequests`. */
export function finishedStats(
  state: RequestState,
  finishReason: FinishReason,
  durations: Durations,
): FinishedRequestStats {
  const { plan, timeToFirstToken } = state;
  const { requestId, loraName, maxTokens } = plan;
  return {
    ...(requestId !== undefined && { requestId }),
    modelName: state.context.modelName,
    engineIndex: plan.engineIndex,
    finishReason,
    ...(loraName !== undefined && { loraName }),
    numPromptTokens: plan.numPromptTokens,
    numCachedTokens: state.prefill?.numCachedTokens ?? 0,
    numGenerationTokens: state.numGenerationTokens,
    numPreemptions: state.numPreemptions,
    ...(maxTokens !== undefined && { maxTokens }),
    n: plan.parent?.n ?? plan.n,
    ...(!Number.isNaN(timeToFirstToken) && { timeToFirstToken }),
    e2eLatency: durations.e2e,
    queuedTime: durations.queued || 0, // NaN is 0 here
    prefillTime: durations.prefill || 0,
    decodeTime: durations.decode || 0,
    inferenceTime: durations.inference || 0,
    meanTimePerOutputToken: durations.perToken || 0,
  };
}
