import type { FinishedRequestStats } from '../../../index.js';

/**
 * vLLM's per-request metrics: milliseconds, `null` where there is nothing to tell.
 * @see vllm docs/features/per_request_metrics.md
 */
export interface TimingMetrics {
  /** From the first scheduling to the first token. */
  readonly time_to_first_token_ms: number | null;
  /** From the first token to the last. */
  readonly generation_time_ms: number | null;
  readonly queue_time_ms: number | null;
  readonly mean_itl_ms: number | null;
  /** From the first scheduling to the last token. */
  readonly tokens_per_second: number | null;
}

export function timingOf(stats: FinishedRequestStats): TimingMetrics {
  const { numGenerationTokens: tokens, prefillTime, decodeTime, queuedTime, inferenceTime } = stats;
  return {
    time_to_first_token_ms: tokens > 0 ? milliseconds(prefillTime) : null,
    generation_time_ms: tokens > 0 ? milliseconds(decodeTime) : null,
    queue_time_ms: milliseconds(queuedTime),
    mean_itl_ms: tokens > 1 ? milliseconds(decodeTime / (tokens - 1)) : null,
    tokens_per_second: inferenceTime > 0 ? tokens / inferenceTime : null,
  };
}

function milliseconds(seconds: number): number {
  return seconds * 1000;
}
