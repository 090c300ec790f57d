/** What servers say of token counts and times, in their different spellings. */

import type { EngineTimings } from '../../serving/finished-request-stats.js';
import type { RequestUsage } from '../../serving/request/request-handle.js';
import { countOf, type JsonObject, objectOf, secondsOf } from './json.js';

/** Told of a figure that is none. */
export type OnOddFigure = (value: unknown) => void;

/**
 * The usage in an event or an answer, wherever it stands; undefined if there is none or all its counts are zero
 * (Ollama's completions say zeros on every event before the last). llama.cpp's `timings` count as one: they are there
 * when nobody asked for usage.
 */
export function usageIn(chunk: JsonObject, onOdd: OnOddFigure): RequestUsage | undefined {
  const usage = objectOf(chunk['usage']) ?? objectOf(objectOf(chunk['x_groq'])?.['usage']);
  const timings = objectOf(chunk['timings']);
  if (usage === undefined && timings === undefined) return undefined;
  const spoken = usage === undefined ? timedUsage(timings!) : spokenUsage(usage, onOdd);
  const { promptTokens = 0, completionTokens = 0 } = spoken;
  return promptTokens + completionTokens > 0
    ? { ...spoken, timings: engineTimings(timings ?? objectOf(chunk['metrics'])) }
    : undefined;
}

/** Chat's and the completions' names, or the Responses API's. */
function spokenUsage(usage: JsonObject, onOdd: OnOddFigure): RequestUsage {
  const figure = (value: unknown): number | undefined => {
    const count = countOf(value);
    if (count === undefined && value !== undefined && value !== null) onOdd(value);
    return count;
  };
  const details = objectOf(usage['prompt_tokens_details'] ?? usage['input_tokens_details']);
  return {
    promptTokens: figure(usage['prompt_tokens'] ?? usage['input_tokens']),
    completionTokens: figure(usage['completion_tokens'] ?? usage['output_tokens']),
    cachedTokens: figure(details?.['cached_tokens']),
  };
}

/** @see llama.cpp tools/server `result_timings`: `prompt_n` leaves out what `cache_n` took from the cache. */
function timedUsage(timings: JsonObject): RequestUsage {
  const computed = countOf(timings['prompt_n']);
  const cachedTokens = countOf(timings['cache_n']);
  return {
    promptTokens: computed === undefined ? undefined : computed + (cachedTokens ?? 0),
    completionTokens: countOf(timings['predicted_n']),
    cachedTokens,
  };
}

/**
 * Times that the engine measured itself. vLLM's `time_to_first_token_ms` begins when the request was scheduled: it is
 * the prefill, not the time to first token.
 * @see vllm/entrypoints/generate/base/serving.py; llama.cpp tools/server `result_timings`
 */
function engineTimings(times: JsonObject | undefined): EngineTimings | undefined {
  if (times === undefined) return undefined;
  const queuedTime = secondsOf(times['queue_time_ms']);
  const prefillTime = secondsOf(times['time_to_first_token_ms'] ?? times['prompt_ms']);
  const decodeTime = secondsOf(times['generation_time_ms'] ?? times['predicted_ms']);
  return {
    ...(queuedTime !== undefined && { queuedTime }),
    ...(prefillTime !== undefined && { prefillTime }),
    ...(decodeTime !== undefined && { decodeTime }),
  };
}
