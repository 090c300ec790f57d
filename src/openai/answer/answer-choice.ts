import type { FinishReason } from '../../engine-core/engine-core-event.js';
import type { TokenSource } from '../../serving/recording-context.js';
import type { RequestHandle, RequestUsage } from '../../serving/request/request-handle.js';

/** One sequence of an answer: what its events said so far, and its handle. */
export class AnswerChoice {
  readonly index: number;
  readonly handle: RequestHandle;
  /** Tokens that the handle was told of as they came. */
  counted = 0;
  /** Its usage grows with its events: differences are the tokens of an event. */
  isContinuous = false;
  usage: RequestUsage | undefined = undefined;
  /** Held until usage, `[DONE]` or the end: the usage comes after it. */
  reason: FinishReason | undefined = undefined;
  /** Its last event had no token to see: the end of sequence is one that only usage counts. */
  endedSilently = false;
  /** Of its first event without a token, in seconds; NaN without one. */
  #openedAt: number = Number.NaN;
  #endedAt: number = Number.NaN;

  constructor(index: number, handle: RequestHandle) {
    this.index = index;
    this.handle = handle;
  }

  tokens(count: number, time: number, source: TokenSource): void {
    this.counted += count;
    this.handle.tokens(count, time, source);
  }

  opened(time: number): void {
    if (Number.isNaN(this.#openedAt)) this.#openedAt = time;
  }

  finish(reason: FinishReason, time: number, isSilent: boolean): void {
    if (this.reason !== undefined) return;
    this.reason = reason;
    this.endedSilently = isSilent;
    this.#endedAt = time;
  }

  /** Takes a report of usage; what it leaves out stands. A prompt's length is told at once: tokens count it. */
  report(usage: RequestUsage): void {
    const { promptTokens = this.usage?.promptTokens, cachedTokens = this.usage?.cachedTokens } = usage;
    if (promptTokens !== this.usage?.promptTokens || cachedTokens !== this.usage?.cachedTokens)
      this.handle.usage({ promptTokens, cachedTokens });
    const { completionTokens = this.usage?.completionTokens, timings = this.usage?.timings } = usage;
    this.usage = { promptTokens, cachedTokens, completionTokens, timings };
  }

  /** Writes the record. Tokens that no event showed lie between the opening event and the last. */
  settle(fallback: FinishReason): void {
    const { usage, handle } = this;
    if (usage !== undefined) handle.usage(usage);
    if (this.counted === 0 && (usage?.completionTokens ?? 0) > 0 && this.#openedAt <= this.#endedAt)
      handle.span(this.#openedAt, this.#endedAt);
    handle.end(this.reason ?? fallback);
  }
}
