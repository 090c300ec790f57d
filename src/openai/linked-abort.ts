/**
 * An abort of our own that follows another's: `AbortSignal.any`, which Node 20.0 lacks, and without a listener left on
 * the other signal, which may outlive thousands of requests.
 */
export class LinkedAbort {
  readonly #controller = new AbortController();
  readonly #outer: AbortSignal | undefined;
  readonly #onOuter = (): void => {
    const reason: unknown = this.#outer?.reason;
    this.abort(reason);
    this.#onAbort(reason);
  };
  readonly #onAbort: (reason: unknown) => void;

  /** @param onAbort told when the outer signal aborts, after ours has; not told of our own `abort` */
  constructor(outer: AbortSignal | undefined, onAbort: (reason: unknown) => void) {
    this.#outer = outer;
    this.#onAbort = onAbort;
    if (outer?.aborted === true) this.#controller.abort(outer.reason);
    else outer?.addEventListener('abort', this.#onOuter, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  abort(reason?: unknown): void {
    this.unlink();
    this.#controller.abort(reason);
  }

  unlink(): void {
    this.#outer?.removeEventListener('abort', this.#onOuter);
  }
}
