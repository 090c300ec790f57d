import type { RequestHandle } from '../serving/request/request-handle.js';
import { AnswerObserver, type AnswerOptions } from './answer/answer-observer.js';
import { ObservedBytes } from './observed-bytes.js';

/** What {@link observeSse} takes. */
export interface ObserveSseOptions extends AnswerOptions {
  /**
   * Leaves out the event that only says the usage, for a client that did not ask for it ({@link withUsage} tells).
   * Bytes then go on event by event, not read by read.
   */
  readonly hideUsage?: boolean | undefined;
}

/**
 * Records an answer as its bytes pass: each goes on unchanged and at once, whatever it holds, and is read on the side.
 * Memory is bounded: an event above 1 MiB passes unread, with a diagnostic. The record ends with usage after a finish
 * reason, `[DONE]` or the end of the bytes; cancelled by the client it ends as `abort`, and the cancel goes upstream.
 * A body that is one JSON object, as errors are, is read as {@link observeCompletion} would.
 */
export function observeSse(
  handle: RequestHandle,
  options: ObserveSseOptions = {},
): TransformStream<Uint8Array, Uint8Array> {
  return new ObservedBytes(new AnswerObserver(handle, options), options.hideUsage === true);
}
