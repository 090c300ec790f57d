import { Observable } from 'rxjs';

/**
 * An Observable of an async iterable's values, made anew by each subscription. Unsubscribing aborts the signal at once;
 * RxJS's `from` runs a generator's `finally` only when its next value comes, and a hung upstream never sends one.
 * @param make gets the signal of its subscription; what it rejects or throws is the stream's error
 */
export function fromAsyncIterable<T>(
  make: (signal: AbortSignal) => AsyncIterable<T> | PromiseLike<AsyncIterable<T>>,
): Observable<T> {
  return new Observable<T>((subscriber) => {
    const controller = new AbortController();
    let iterator: AsyncIterator<T> | undefined;
    const run = async (): Promise<void> => {
      const iterable = await make(controller.signal);
      if (subscriber.closed) return;
      iterator = iterable[Symbol.asyncIterator]();
      for (;;) {
        const result = await iterator.next();
        if (subscriber.closed) return;
        if (result.done === true) break;
        subscriber.next(result.value);
        if (subscriber.closed) return;
      }
      iterator = undefined; // it ended by itself: there is nothing to leave
      subscriber.complete();
    };
    run().catch((error: unknown) => {
      iterator = undefined;
      subscriber.error(error);
    });
    return () => {
      controller.abort();
      leave(iterator);
    };
  });
}

/** Not waited for, and whatever comes of it is nobody's. */
function leave(iterator: AsyncIterator<unknown> | undefined): void {
  const left = async (): Promise<unknown> => iterator?.return?.();
  left().catch(() => {});
}
