/** Sources and consumers that write down what happens to them. */
import { Observable, type Observer, type Subscriber } from 'rxjs';
import type { EngineCoreStreamOutput } from '../../../src/index.js';
import { engineOutput } from '../../../src/testing/index.js';
import { type Stage, spelled } from './rivals.js';

export type Value = EngineCoreStreamOutput;

export const token: Value = engineOutput(1, { timestamp: 1 });
export const other: Value = engineOutput(2, { timestamp: 2 });
export const final: Value = engineOutput(1, { timestamp: 3, finishReason: 'stop' });
export const boom: Error = new Error('boom');

const names = new Map([
  [token, 'token'],
  [other, 'other'],
  [final, 'final'],
]);

/** A source in the test's hands: its subscriber, and a log of its life. */
export interface HandSource {
  readonly values: Observable<Value>;
  /** The latest subscriber. */
  to: Subscriber<Value>;
}

/** `onTeardown` may throw. */
export function handSource({ log }: Stage, onTeardown?: () => void): HandSource {
  const source: { values: Observable<Value>; to?: Subscriber<Value> } = {
    values: new Observable<Value>((subscriber) => {
      log.push('subscribed');
      source.to = subscriber;
      return () => {
        log.push('torn down');
        onTeardown?.();
      };
    }),
  };
  return source as HandSource;
}

/** A source that sends all at once and looks at `closed` in between, as RxJS's own do. */
export function loopSource({ log }: Stage, values: readonly Value[], ends = true): Observable<Value> {
  return new Observable<Value>((subscriber) => {
    for (const value of values) {
      if (subscriber.closed) break;
      log.push(`sends ${names.get(value)}`);
      subscriber.next(value);
    }
    if (ends) subscriber.complete();
    return () => log.push('torn down');
  });
}

/** What a consumer does besides writing down. */
export type Reactions = Partial<Record<'next' | 'error' | 'complete', () => void>>;

export function consumer({ log }: Stage, on: Reactions = {}): Observer<Value> {
  return {
    next: (value) => {
      log.push(names.get(value) ?? 'a value of nobody');
      on.next?.();
    },
    error: (error) => {
      log.push(`error ${spelled(error)}`);
      on.error?.();
    },
    complete: () => {
      log.push('complete');
      on.complete?.();
    },
  };
}
