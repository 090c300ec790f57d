import type { RequestHandle } from '../serving/request/request-handle.js';
import { AnswerObserver } from './answer/answer-observer.js';
import { LinkedAbort } from './linked-abort.js';
import type { ObserveSseOptions } from './observe-sse.js';
import { ObservedBytes } from './observed-bytes.js';

/** What {@link observeFetch} takes. */
export interface ObserveFetchOptions extends ObserveSseOptions {
  /** The client's: its abort ends the record and aborts the upstream at once. */
  readonly signal?: AbortSignal | undefined;
}

/** They say how the bytes came here; `fetch` has undone that, and who sends them on does it anew. */
const OF_ONE_HOP = ['connection', 'content-encoding', 'content-length', 'keep-alive', 'transfer-encoding'];

/**
 * Records a request that a proxy sends on: gives the upstream's answer with its bytes observed, streamed or not. A
 * status of 400 and above is an `error`, as is a call that rejects, whose error goes on; after the client's abort it
 * is an `abort`.
 * @param call gets a signal to hand to `fetch`
 */
export async function observeFetch(
  handle: RequestHandle,
  call: (signal: AbortSignal) => PromiseLike<Response>,
  options: ObserveFetchOptions = {},
): Promise<Response> {
  const observer = new AnswerObserver(handle, options);
  const abort = new LinkedAbort(options.signal, () => observer.left());
  if (abort.signal.aborted) observer.left();
  try {
    const response = await call(abort.signal);
    if (response.status >= 400) observer.failed();
    const bytes = new ObservedBytes(observer, options.hideUsage === true, () => abort.unlink());
    return passedOn(response, bytes);
  } catch (error) {
    observer.failed();
    abort.unlink();
    throw error;
  }
}

function passedOn(response: Response, bytes: ObservedBytes): Response {
  const { status, statusText } = response;
  const headers = new Headers(response.headers);
  for (const name of OF_ONE_HOP) headers.delete(name);
  return new Response(response.body?.pipeThrough(bytes) ?? null, { status, statusText, headers });
}
