import type { FinishReason } from '../../engine-core/engine-core-event.js';
import type { RequestHandle, RequestUsage } from '../../serving/request/request-handle.js';
import { AnswerChoice } from './answer-choice.js';
import type { FinishReasonMap } from './finish-reasons.js';
import { shareUsage } from './shared-usage.js';

/** More than any server makes of one request; an index beyond it is no choice's. */
const MOST_CHOICES = 1024;

/** What an answer said so far, choice by choice, until its records are written: once, with the first end. */
export class Answer {
  readonly handle: RequestHandle;
  readonly finishReasons: FinishReasonMap | undefined;
  /** Usage of all choices together. */
  total: RequestUsage | undefined = undefined;
  readonly #choices = new Map<number, AnswerChoice>();
  #lastFinished: AnswerChoice | undefined = undefined;
  /** Each choice has a usage of its own, sent after its end (llama.cpp). */
  #isUsagePerChoice = false;
  #time: number = Number.NaN;
  #isSettled = false;

  constructor(handle: RequestHandle, finishReasons: FinishReasonMap | undefined) {
    this.handle = handle;
    this.finishReasons = finishReasons;
  }

  get isSettled(): boolean {
    return this.#isSettled || this.handle.ended;
  }

  /** The events that follow came together: they have one time. */
  beginRead(): void {
    this.#time = Number.NaN;
  }

  /** When the present read came, in seconds of the frontend's clock. */
  get time(): number {
    if (Number.isNaN(this.#time)) this.#time = this.handle.now();
    return this.#time;
  }

  /** The choice of this index, made at its first event; undefined for an index that none can have. */
  choice(index: unknown = 0): AnswerChoice | undefined {
    const known = this.#choices.get(index as number);
    if (known !== undefined) return known;
    if (!Number.isSafeInteger(index) || (index as number) < 0 || (index as number) >= MOST_CHOICES) {
      this.handle.report('choices', `expected an index below ${MOST_CHOICES}, ignored the choice`, index);
      return undefined;
    }
    const made = new AnswerChoice(index as number, this.handle.choice(index as number));
    this.#choices.set(made.index, made);
    return made;
  }

  finished(choice: AnswerChoice): void {
    this.#lastFinished = choice;
  }

  get hasFinish(): boolean {
    return this.#lastFinished !== undefined;
  }

  /** A usage that counts all choices together. */
  reportAll(usage: RequestUsage): void {
    this.total = usage;
    if (this.#isOver() && this.#choices.size === 1) this.settle('stop');
  }

  /**
   * A usage that is no choice's by its place. Before all choices have ended it is that of the choice that ended
   * last: llama.cpp sends one a choice. Otherwise it is everyone's, and after the only choice's end nothing is left to
   * wait for.
   */
  report(usage: RequestUsage): void {
    if (this.#lastFinished !== undefined && (this.#isUsagePerChoice || !this.#isOver())) {
      this.#isUsagePerChoice = true;
      this.#lastFinished.report(usage);
      return;
    }
    this.reportAll(usage);
  }

  /** Writes the records; `fallback` is the reason of a choice that gave none. */
  settle(fallback: FinishReason): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    const choices = [...this.#choices.values()].sort((a, b) => a.index - b.index);
    shareUsage(this.total, choices, this.handle.n);
    for (const choice of choices) {
      if (choice.reason === undefined && fallback === 'stop')
        this.handle.report('finishReason', 'expected the choice to finish, took stop', choice.index);
      choice.settle(fallback);
    }
    this.handle.end(fallback);
    this.handle[Symbol.dispose]();
  }

  /** The server said that it failed: clients throw then, also after a finish reason. */
  fail(): void {
    if (this.#isSettled) return;
    for (const choice of this.#choices.values()) choice.reason = 'error';
    this.settle('error');
  }

  /** All choices that the request asked for have come and ended. */
  #isOver(): boolean {
    if (this.#choices.size < this.handle.n) return false;
    for (const { reason } of this.#choices.values()) if (reason === undefined) return false;
    return true;
  }
}
