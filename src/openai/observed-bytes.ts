import type { AnswerObserver } from './answer/answer-observer.js';
import { AnswerBytes, type Forward } from './sse/answer-bytes.js';

/**
 * Bytes pass, an observer is told. A pair of streams of its own and not a `TransformStream` of the platform's: that
 * tells nobody of a cancel in Node 20, and later does not tell a client that left from an upstream that broke.
 */
export class ObservedBytes implements TransformStream<Uint8Array, Uint8Array> {
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<Uint8Array>;
  readonly #observer: AnswerObserver;
  readonly #answer: AnswerBytes;
  readonly #hidesUsage: boolean;
  readonly #onEnd: () => void;
  // Both are set by `start`, which the streams' constructors call.
  #output!: ReadableStreamDefaultController<Uint8Array>;
  #input!: WritableStreamDefaultController;
  /** Lets the upstream go on, once the client wants more. */
  #wanted: (() => void) | undefined;

  /** @param onEnd told when no byte will pass any more, whoever ended it */
  constructor(observer: AnswerObserver, hidesUsage: boolean, onEnd: () => void = () => {}) {
    this.#observer = observer;
    this.#hidesUsage = hidesUsage;
    this.#onEnd = onEnd;
    const forward: Forward = (bytes) => this.#output.enqueue(bytes);
    this.#answer = new AnswerBytes(observer, hidesUsage ? forward : undefined);
    // One read may wait for the client, the platform's default: with none, taking it would not ask for the next.
    this.readable = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#output = controller;
      },
      pull: () => this.#resume(),
      cancel: (reason) => this.#cancel(reason),
    });
    this.writable = new WritableStream<Uint8Array>({
      start: (controller) => {
        this.#input = controller;
      },
      write: (bytes) => this.#write(bytes),
      close: () => this.#close(),
      abort: (reason) => this.#break(reason),
    });
  }

  /** On first, then looked at: an observer costs the client no time. */
  #write(bytes: Uint8Array): Promise<void> | undefined {
    const isBytes = bytes instanceof Uint8Array; // what is not passes unread
    if (!this.#hidesUsage || !isBytes) this.#output.enqueue(bytes);
    if (isBytes) this.#answer.read(bytes);
    if ((this.#output.desiredSize ?? 0) > 0) return undefined;
    return new Promise((resolve) => {
      this.#wanted = resolve;
    });
  }

  #close(): void {
    this.#answer.end();
    this.#output.close();
    this.#onEnd();
  }

  /** The upstream broke, or whoever pipes gave up: an abort signal is a client that left. */
  #break(reason: unknown): void {
    if (reason instanceof Error && reason.name === 'AbortError') this.#observer.left();
    else this.#observer.failed();
    this.#output.error(reason);
    this.#onEnd();
  }

  #cancel(reason: unknown): void {
    this.#observer.left();
    this.#input.error(reason);
    this.#resume();
    this.#onEnd();
  }

  #resume(): void {
    const wanted = this.#wanted;
    this.#wanted = undefined;
    wanted?.();
  }
}
