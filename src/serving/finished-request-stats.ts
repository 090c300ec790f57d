import type { FinishReason } from '../engine-core/engine-core-event.js';

/** Times that an engine measured itself and sent with its answer, in seconds of its own clock. */
export interface EngineTimings {
  readonly queuedTime?: number;
  /** From scheduled to the first token. */
  readonly prefillTime?: number;
  /** From the first token to the last. */
  readonly decodeTime?: number;
}

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
  /** Of a server that sends them: vLLM's `metrics`, llama.cpp's `timings`. */
  readonly engineTimings?: EngineTimings;
}
