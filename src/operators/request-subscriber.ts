/**
 * Forwards a request's stream and tells its recorder. A subclass of RxJS 7's exported `Subscriber`, whose constructor
 * RxJS marks as internal from 8 on: this is the only file that relies on it, within the peer range `^7.3`.
 * Why: against `tap(noop)` on the same stream `defer` + `tap(recorder)` costs 1.32 ×, an observer in
 * `new Observable` 1.19 ×, this about 1.0 × (`npm run bench`); and `tap` loses the record if the source's teardown throws.
 */
import { Subscriber } from 'rxjs';
import type { EngineCoreStreamOutput } from '../engine-core/engine-core-outputs.js';
import type { RequestRecorder } from '../serving/request/request-recorder.js';

export class RequestSubscriber<T extends EngineCoreStreamOutput> extends Subscriber<T> {
  /** Undefined once the request has ended, so that a kept `Subscription` keeps none of its state. */
  #recorder: RequestRecorder | undefined;
  /** An own reference: RxJS sets its own to null on unsubscribe, which may happen while an output is recorded. */
  readonly #downstream: Subscriber<T>;

  constructor(downstream: Subscriber<T>, recorder: RequestRecorder) {
    super(downstream);
    this.#recorder = recorder;
    this.#downstream = downstream;
    // A closed destination has unsubscribed this one inside `super`, before there was a recorder to settle.
    if (this.closed) this.#end()?.unsubscribe();
  }

  override next(value: T): void {
    if (this.isStopped) {
      super.next(value);
      return;
    }
    const recorder = this.#recorder;
    if (recorder !== undefined) {
      try {
        if (!recorder.next(value)) this.#recorder = undefined;
      } catch (error) {
        recorder.failed(value, error);
      }
    }
    this.#downstream.next(value);
  }

  /** Comes once, and after RxJS has stopped this one: what is sent while the end is recorded goes nowhere, as ever. */
  protected override _error(error: unknown): void {
    this.#end()?.error();
    try {
      this.#downstream.error(error);
    } finally {
      this.unsubscribe();
    }
  }

  protected override _complete(): void {
    this.#end()?.complete();
    try {
      this.#downstream.complete();
    } finally {
      this.unsubscribe();
    }
  }

  /** Settles before the source is torn down: a teardown that throws must not lose the record. */
  override unsubscribe(): void {
    if (!this.closed && #recorder in this) {
      this.isStopped = true;
      this.#end()?.unsubscribe();
    }
    super.unsubscribe();
  }

  #end(): RequestRecorder | undefined {
    const recorder = this.#recorder;
    this.#recorder = undefined;
    return recorder;
  }
}
