import type { RequestHandle } from '../../serving/request/request-handle.js';
import { Answer } from './answer.js';
import { readChatEvent } from './chat-events.js';
import type { FinishReasonMap } from './finish-reasons.js';
import { objectOf } from './json.js';
import { readResponseEvent } from './response-events.js';
import { isError, readWholeAnswer } from './whole-answer.js';

/** What observers of answers take. */
export interface AnswerOptions {
  /** Meanings of finish reasons, before those known: `{ content_filter: 'error' }`. */
  readonly finishReasons?: FinishReasonMap;
}

/**
 * Records an answer from what passes of it, by the rules of the OpenAI-compatible protocols. Total: whatever a server
 * sends, nothing is thrown; after the first end everything is ignored.
 */
export class AnswerObserver {
  readonly #answer: Answer;
  /** An event could not be read: what is missed may have been the end. */
  #hasGap = false;

  constructor(handle: RequestHandle, options: AnswerOptions) {
    this.#answer = new Answer(handle, options.finishReasons);
  }

  get isSettled(): boolean {
    return this.#answer.isSettled;
  }

  /** The events that follow, up to the next call, came in one read. */
  beginRead(): void {
    this.#answer.beginRead();
  }

  /** An event of a stream: its name, and its data as text. */
  event(name: string | undefined, data: string): void {
    if (this.isSettled) return;
    if (data === '[DONE]') this.done();
    else if (name === 'error') this.#answer.fail();
    else {
      const json = this.#parsed(data);
      if (json !== undefined) this.chunk(json, name);
    }
  }

  /** An event as the object that a client made of it. */
  chunk(value: unknown, name?: string): void {
    if (this.isSettled) return;
    const event = objectOf(value);
    if (event === undefined) return; // llama.cpp sends `data: null`
    this.#total(() => {
      const type = event['type'] ?? name;
      if (isError(event) || type === 'error') this.#answer.fail();
      else if (Array.isArray(event['choices'])) readChatEvent(this.#answer, event);
      else if (typeof type === 'string') readResponseEvent(this.#answer, type, event);
    });
  }

  /** An answer as a whole. */
  whole(json: unknown): void {
    if (!this.isSettled) this.#total(() => readWholeAnswer(this.#answer, json));
  }

  /** An event was not read, being too long. */
  missed(numBytes: number): void {
    this.#hasGap = true;
    this.#answer.handle.report(
      'events.data',
      'expected an event of at most 1 MiB, did not read it',
      numBytes,
    );
  }

  /** `[DONE]`, or the end of a client's iteration, which is the same: choices that forgot to finish did `stop`. */
  done(): void {
    this.#answer.settle('stop');
  }

  /** The bytes ended. With no end of any choice before it, the upstream broke off. */
  ended(): void {
    if (this.isSettled || this.#answer.hasFinish || this.#hasGap) {
      this.done();
      return;
    }
    this.#answer.handle.report('finishReason', 'expected the stream to say its end, took error', undefined);
    this.failed();
  }

  /** The client left; a reason that is held stands. */
  left(): void {
    this.#answer.settle('abort');
  }

  /** The connection broke, or was never made; a reason that is held stands. */
  failed(): void {
    this.#answer.settle('error');
  }

  #parsed(data: string): unknown {
    try {
      return JSON.parse(data);
    } catch {
      this.#hasGap = true;
      this.#answer.handle.report('events.data', 'expected JSON, ignored the event', data.slice(0, 200));
      return undefined;
    }
  }

  /** A client's object may throw when it is read. */
  #total(read: () => void): void {
    try {
      read();
    } catch (error) {
      this.#answer.handle.report('recording', 'expected to read an event, read a part of it', error);
    }
  }
}
