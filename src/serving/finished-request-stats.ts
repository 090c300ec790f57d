import type { FinishReason } from '../engine-core/engine-core-event.js';

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
