import type { Observable } from 'rxjs';
import type { RequestInfo } from '../serving/request/request-info.js';
import { fromAsyncIterable } from './from-async-iterable.js';
import { type ObserveChatOptions, observeChat, type RequestStarter } from './observe-chat.js';
import type { Call } from './observed-chunks.js';

/**
 * {@link observeChat} as a lazy Observable: one request a subscription; unsubscribing aborts the upstream at once and
 * ends the record.
 */
export function chat$<C>(
  metrics: RequestStarter,
  info: RequestInfo,
  call: Call<C>,
  options: ObserveChatOptions = {},
): Observable<C> {
  return fromAsyncIterable(() => observeChat(metrics, info, call, options));
}
