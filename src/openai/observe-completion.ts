import type { RequestHandle } from '../serving/request/request-handle.js';
import { AnswerObserver, type AnswerOptions } from './answer/answer-observer.js';

/**
 * Records an answer that did not stream: a chat completion, a completion, a response, embeddings, or an error. Reason
 * and tokens are the answer's own words; it makes no sample of time to first token or between tokens, which nobody saw.
 */
export function observeCompletion(handle: RequestHandle, json: unknown, options: AnswerOptions = {}): void {
  new AnswerObserver(handle, options).whole(json);
}
