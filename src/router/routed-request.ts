import type { Subscriber } from 'rxjs';
import type { EngineCoreStreamOutput } from '../engine-core/engine-core-outputs.js';
import { type ErrorOf, SecondSubscriptionError } from './errors.js';

/** How a request's stream ended: with an error, or without one. */
interface Ending {
  readonly error?: unknown;
}

/** One opened request: its outputs wait here until its one subscriber comes. */
export class RoutedRequest {
  readonly requestId: string;
  readonly engineIndex: number;
  /** Arrival number of the last batch before it was opened: that batch and older ones are not for it. */
  readonly openedAfter: number;
  /** See `OpenOptions`. */
  readonly errorOf: ErrorOf | undefined;
  /** Its id stands for it: it has neither ended nor been replaced. */
  isOpen = true;
  /** The string that the last look-up by its id was made with. */
  spelling = '';
  readonly #onLeft: () => void;
  #waiting: EngineCoreStreamOutput[] | undefined = [];
  #subscriber: Subscriber<EngineCoreStreamOutput> | undefined;
  #ending: Ending | undefined;

  /** `onLeft` is called when the subscriber leaves before the end. */
  constructor(
    requestId: string,
    engineIndex: number,
    openedAfter: number,
    onLeft: () => void,
    errorOf: ErrorOf | undefined,
  ) {
    this.requestId = requestId;
    this.engineIndex = engineIndex;
    this.openedAfter = openedAfter;
    this.#onLeft = onLeft;
    this.errorOf = errorOf;
  }

  deliver(value: EngineCoreStreamOutput): void {
    if (this.#waiting !== undefined) this.#waiting.push(value);
    else this.#subscriber!.next(value);
  }

  /** Delivers the final output. The engine is done: who leaves while being served it aborts nothing. */
  finish(value: EngineCoreStreamOutput): void {
    this.#ending = {};
    try {
      this.deliver(value);
    } finally {
      if (this.#waiting === undefined) this.#close(this.#ending);
    }
  }

  /** Ends it with an error, unless it has ended. */
  fail(error: unknown): void {
    if (this.#ending !== undefined) return;
    this.#ending = { error };
    if (this.#waiting === undefined) this.#close(this.#ending);
  }

  subscribe(subscriber: Subscriber<EngineCoreStreamOutput>): void {
    if (this.#subscriber !== undefined) {
      subscriber.error(new SecondSubscriptionError(this.requestId));
      return;
    }
    this.#subscriber = subscriber;
    // First of all: a subscriber that leaves while it is being served may throw, and its request is aborted all the same.
    subscriber.add(() => {
      if (this.#ending !== undefined) return;
      this.#ending = {};
      this.#onLeft();
    });
    // Outputs that come meanwhile queue up behind: a subscriber may make the engine step while it is being served.
    const waiting = this.#waiting!;
    for (let i = 0; i < waiting.length && !subscriber.closed; i++) subscriber.next(waiting[i]!);
    this.#waiting = undefined;
    if (this.#ending !== undefined) this.#close(this.#ending);
  }

  #close(ending: Ending): void {
    if (this.#subscriber!.closed) return;
    if ('error' in ending) this.#subscriber!.error(ending.error);
    else this.#subscriber!.complete();
  }
}
