import type { AnswerObserver } from '../answer/answer-observer.js';
import { EventReader } from './event-reader.js';
import { type EventSink, EventSplitter } from './event-splitter.js';
import { isUsageEvent } from './usage-chunk.js';

/** Where bytes go on to. */
export type Forward = (bytes: Uint8Array) => void;

const OPENING_BRACE = 123;

/** Tells an observer of the events in an answer's bytes, read by read, and of the answer if it did not stream. */
export class AnswerBytes implements EventSink {
  readonly #observer: AnswerObserver;
  readonly #splitter = new EventSplitter(this);
  readonly #reader: EventReader;
  /** Undefined: the bytes go on elsewhere, whatever they hold. */
  readonly #forward: Forward | undefined;
  #isUsage = false;

  /** @param forward gets the bytes of each event once it is whole, without those that only say the usage */
  constructor(observer: AnswerObserver, forward?: Forward) {
    this.#observer = observer;
    this.#forward = forward;
    this.#reader = new EventReader((name, data) => {
      if (this.#forward !== undefined) this.#isUsage = isUsageEvent(data);
      this.#observer.event(name, data);
    });
  }

  /** What was read from the upstream at once. */
  read(bytes: Uint8Array): void {
    this.#observer.beginRead();
    this.#splitter.push(bytes);
  }

  /** The upstream's bytes ended. */
  end(): void {
    const rest = this.#splitter.rest();
    if (rest.length > 0) this.#forward?.(rest.slice());
    const json = rest[0] === OPENING_BRACE ? parsed(rest) : undefined;
    if (json === undefined) this.#observer.ended();
    else this.#observer.whole(json);
  }

  event(bytes: Uint8Array): void {
    this.#isUsage = false;
    if (this.#forward !== undefined || !this.#observer.isSettled) this.#reader.read(bytes);
    if (!this.#isUsage) this.#forward?.(bytes.slice());
  }

  tooLong(bytes: Uint8Array, isFirst: boolean): void {
    if (isFirst) this.#observer.missed(bytes.length);
    this.#forward?.(bytes.slice());
  }
}

/** An error, or an answer that did not stream, in the place of one that does. */
function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}
