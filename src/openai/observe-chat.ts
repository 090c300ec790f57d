import type { RequestHandle } from '../serving/request/request-handle.js';
import type { RequestInfo } from '../serving/request/request-info.js';
import { AnswerObserver, type AnswerOptions } from './answer/answer-observer.js';
import { type Call, ObservedChunks } from './observed-chunks.js';

/** What starts requests: a `ServingMetrics`. */
export interface RequestStarter {
  startRequest(request: RequestInfo): RequestHandle;
}

/** What {@link observeChat} takes. */
export interface ObserveChatOptions extends AnswerOptions {
  /** The client's: its abort ends the record, aborts the upstream at once, and rejects the iteration. */
  readonly signal?: AbortSignal | undefined;
  /** The upstream that is asked, for the label `engine`. */
  readonly engineIndex?: number | undefined;
}

/**
 * Records a streamed chat: gives the same chunks, each recorded before it is handed on. The request starts with the
 * iteration, before the call, so that its time to first token holds the wait for the answer's headers. Leaving the
 * loop, an outer abort or a consumer's throw aborts the upstream at once and ends the record as `abort`, or with the
 * finish reason if that had come. A call that rejects, or gives no stream, is an `error`, and the error goes on.
 *
 * @param call gets a signal to hand to the client: `(signal) => client.chat.completions.create(body, { signal })`
 * @throws as `startRequest` does, when the iteration starts
 */
export function observeChat<C>(
  metrics: RequestStarter,
  info: RequestInfo,
  call: Call<C>,
  options: ObserveChatOptions = {},
): AsyncIterable<C> {
  const { engineIndex, signal } = options;
  const request = engineIndex === undefined ? info : { ...info, engineIndex };
  return {
    [Symbol.asyncIterator]: () =>
      new ObservedChunks(new AnswerObserver(metrics.startRequest(request), options), call, signal),
  };
}
