import type { AnswerObserver } from './answer/answer-observer.js';
import { LinkedAbort } from './linked-abort.js';

/** Asks the upstream; the signal aborts it. */
export type Call<C> = (signal: AbortSignal) => AsyncIterable<C> | PromiseLike<AsyncIterable<C>>;

interface Waiter<C> {
  readonly resolve: (result: IteratorResult<C, undefined>) => void;
  readonly reject: (error: unknown) => void;
}

const DONE = { done: true, value: undefined } as const;

/**
 * One iteration over an upstream's chunks, each observed before it is handed on. Not a generator: its `return` would
 * wait for the value that is under way, and a hung upstream never sends one.
 */
export class ObservedChunks<C> implements AsyncIterableIterator<C, undefined> {
  readonly #observer: AnswerObserver;
  readonly #abort: LinkedAbort;
  readonly #waiting = new Set<Waiter<C>>();
  readonly #iterator: Promise<AsyncIterator<C>>;
  #isOver = false;
  /** An outer abort that no `next` has been told of yet. */
  #untold: { readonly reason: unknown } | undefined;

  constructor(observer: AnswerObserver, call: Call<C>, outer: AbortSignal | undefined) {
    this.#observer = observer;
    this.#abort = new LinkedAbort(outer, (reason) => this.#cut(reason));
    const { signal } = this.#abort;
    this.#iterator = open(call, signal);
    this.#iterator.catch(() => this.#fail()); // whoever calls `next` gets the error
    if (signal.aborted) this.#cut(signal.reason);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<C, undefined>> {
    const untold = this.#untold;
    this.#untold = undefined;
    if (untold !== undefined) return Promise.reject(untold.reason);
    if (this.#isOver) return Promise.resolve(DONE);
    return new Promise((resolve, reject) => {
      const waiter = { resolve, reject };
      this.#waiting.add(waiter);
      void this.#pull(waiter);
    });
  }

  /** The consumer leaves the loop, also by a throw: the upstream is aborted before this returns. */
  return(): Promise<IteratorResult<C, undefined>> {
    this.#leave();
    for (const { resolve } of this.#taken()) resolve(DONE);
    return Promise.resolve(DONE);
  }

  throw(error: unknown): Promise<IteratorResult<C, undefined>> {
    void this.return();
    return Promise.reject(error);
  }

  async #pull(waiter: Waiter<C>): Promise<void> {
    try {
      const iterator = await this.#iterator;
      const result = await iterator.next();
      if (this.#isOver) {
        if (this.#waiting.delete(waiter)) waiter.resolve(DONE);
      } else if (result.done === true) {
        this.#over();
        this.#observer.done();
        for (const { resolve } of this.#taken()) resolve(DONE);
      } else {
        this.#observer.beginRead();
        this.#observer.chunk(result.value);
        if (this.#waiting.delete(waiter)) waiter.resolve(result);
      }
    } catch (error) {
      this.#fail();
      if (this.#waiting.delete(waiter)) waiter.reject(error);
    }
  }

  #fail(): void {
    this.#over();
    this.#observer.failed();
  }

  #cut(reason: unknown): void {
    this.#leave();
    const waiting = this.#taken();
    if (waiting.length === 0) this.#untold = { reason };
    for (const { reject } of waiting) reject(reason);
  }

  /** Records before it aborts: what an abort sets off must not make it an error. */
  #leave(): void {
    if (this.#isOver) return;
    this.#over();
    this.#observer.left();
    this.#abort.abort();
    this.#iterator.then((iterator) => iterator.return?.()).catch(() => {}); // nobody is left to tell
  }

  #over(): void {
    this.#isOver = true;
    this.#abort.unlink();
  }

  #taken(): Waiter<C>[] {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    return waiting;
  }
}

async function open<C>(call: Call<C>, signal: AbortSignal): Promise<AsyncIterator<C>> {
  const chunks: Partial<AsyncIterable<C>> | undefined = await call(signal);
  if (typeof chunks?.[Symbol.asyncIterator] !== 'function') {
    throw new TypeError('observeChat: expected the call to give a stream of chunks (stream: true), got none');
  }
  return (chunks as AsyncIterable<C>)[Symbol.asyncIterator]();
}
