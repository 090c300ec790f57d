/** What a request's body says before it is sent on. */

import type { RequestInfo } from '../serving/request/request-info.js';
import { countOf, listOf, objectOf } from './answer/json.js';

/**
 * What a body of chat completions, completions, the Responses API or embeddings says of its request: the most tokens
 * it may make, how many choices, and the prompt's length where it is one list of token ids. Never throws.
 */
export function requestInfoOf(body: unknown): RequestInfo {
  const fields = objectOf(body) ?? {};
  const maxTokens = countOf(
    fields['max_completion_tokens'] ?? fields['max_tokens'] ?? fields['max_output_tokens'],
  );
  const n = countOf(fields['n']);
  const numPromptTokens = promptLength(fields['prompt'] ?? fields['input']);
  return {
    ...(numPromptTokens !== undefined && { numPromptTokens }),
    ...(maxTokens !== undefined && { maxTokens }),
    ...(n !== undefined && n > 0 && { n }),
  };
}

function promptLength(prompt: unknown): number | undefined {
  const ids = listOf(prompt);
  return ids.length > 0 && ids.every((id) => countOf(id) !== undefined) ? ids.length : undefined;
}

/** A body that asks for usage, and whether that is our own wish. */
export interface UsageRequest<B> {
  readonly body: B;
  /** The client did not ask: {@link observeSse} may hide the event it does not expect. */
  readonly hideUsage: boolean;
}

/**
 * Asks for usage in a stream of chat completions or completions, without which token counts are guesses. Any other
 * body stays the object it is: servers refuse `stream_options` without `stream`, and responses bring usage anyway.
 */
export function withUsage<B>(body: B): UsageRequest<B> {
  const fields = objectOf(body);
  const isChat = fields !== undefined && ('messages' in fields || 'prompt' in fields);
  if (!isChat || fields['stream'] !== true) return { body, hideUsage: false };
  const options = objectOf(fields['stream_options']);
  if (options?.['include_usage'] === true) return { body, hideUsage: false };
  const asking = { ...body, stream_options: { ...options, include_usage: true } };
  return { body: asking, hideUsage: true };
}
