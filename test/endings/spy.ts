/** What a request's record must say, told by a subscriber that does nothing else. */
import { type MonoTypeOperatorFunction, Observable, Subscriber } from 'rxjs';
import type { EngineCoreStreamOutput } from '../../src/index.js';

/** One subscription's record; without a reason it was left, which is an abort. */
export interface SpiedRecord {
  readonly engine: number;
  /** For ever, where a teardown that throws stops RxJS half-way (a finished inner of `concat` under `shareReplay`). */
  isOpen: boolean;
  reason: string | undefined;
  tokens: number;
  outputsWithTokens: number;
  preemptions: number;
}

/** Its record is due: it has ended, or its request has. */
export function isSettled({ isOpen, reason }: SpiedRecord): boolean {
  return !isOpen || reason !== undefined;
}

const REASONS: readonly unknown[] = ['stop', 'length', 'abort', 'error', 'repetition'];

/** RxJS's own pass-through in every respect: it only adds notes. */
class Spy extends Subscriber<EngineCoreStreamOutput> {
  readonly #record: SpiedRecord;

  constructor(destination: Subscriber<EngineCoreStreamOutput>, record: SpiedRecord) {
    super(destination);
    this.#record = record;
    this.add(() => {
      record.isOpen = false;
    });
  }

  protected override _next(value: EngineCoreStreamOutput): void {
    const record = this.#record;
    const { newTokenIds, events, finishReason } = value.output;
    if (record.reason === undefined) {
      record.tokens += newTokenIds.length;
      if (newTokenIds.length > 0) record.outputsWithTokens++;
      record.preemptions += events?.length ?? 0;
      if (finishReason) record.reason = REASONS.includes(finishReason) ? finishReason : 'error';
    }
    super._next(value);
  }

  protected override _error(error: unknown): void {
    this.#record.reason ??= 'error';
    super._error(error);
  }

  protected override _complete(): void {
    this.#record.reason ??= 'abort';
    super._complete();
  }
}

/** Notes one record a subscription. */
export function spy(
  engine: number,
  records: SpiedRecord[],
): MonoTypeOperatorFunction<EngineCoreStreamOutput> {
  return (source) =>
    new Observable((subscriber) => {
      const record = {
        engine,
        isOpen: true,
        reason: undefined,
        tokens: 0,
        outputsWithTokens: 0,
        preemptions: 0,
      };
      records.push(record);
      source.subscribe(new Spy(subscriber, record));
    });
}
