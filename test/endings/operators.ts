/** The operators of RxJS that stand around a request's own. */
import {
  asapScheduler,
  asyncScheduler,
  catchError,
  concat,
  delay,
  EMPTY,
  finalize,
  first,
  type MonoTypeOperatorFunction,
  map,
  observeOn,
  queueScheduler,
  repeat,
  retry,
  type SchedulerLike,
  type Subject,
  share,
  shareReplay,
  startWith,
  subscribeOn,
  take,
  takeUntil,
  takeWhile,
} from 'rxjs';
import type { EngineCoreStreamOutput } from '../../src/index.js';
import { isFinal, outputOf } from './outputs.js';
import type { OperatorKind } from './spec.js';

export type Operator = MonoTypeOperatorFunction<EngineCoreStreamOutput>;

/** What operators need of their world. */
export interface Surroundings {
  readonly cut: Subject<void>;
  readonly virtual: SchedulerLike;
}

const throwing = (what: string) => {
  throw new Error(what);
};

function throwsAt(nth: number, of: (value: EngineCoreStreamOutput) => boolean): Operator {
  return (source) => {
    let seen = 0;
    return source.pipe(map((value) => (of(value) && ++seen === nth ? throwing('in an operator') : value)));
  };
}

const simple: Readonly<
  Record<Exclude<OperatorKind, 'takeUntil' | 'observeOn virtual' | 'delay virtual'>, () => Operator>
> = {
  'take(2)': () => take(2),
  'takeWhile inclusive': () => takeWhile((value) => !isFinal(value), true),
  first: () => first(),
  'throws at the second': () => throwsAt(2, () => true),
  'throws at the final': () => throwsAt(1, isFinal),
  'finalize throws': () => finalize(() => throwing('in finalize')),
  catchError: () => catchError(() => EMPTY),
  retry: () => retry(1),
  repeat: () => repeat(2),
  share: () => share(),
  shareReplay: () => shareReplay(1),
  'shareReplay refCount': () => shareReplay({ bufferSize: 1, refCount: true }),
  startWith: () => startWith(outputOf('token', 0)),
  'late outputs': () => (source) =>
    concat(source, [outputOf('final', 0.25), outputOf('token', 0.5), outputOf('final', 0.75)]),
  'observeOn queue': () => observeOn(queueScheduler),
  'observeOn asap': () => observeOn(asapScheduler),
  'observeOn async': () => observeOn(asyncScheduler),
  'subscribeOn asap': () => subscribeOn(asapScheduler),
};

export function operatorOf(kind: OperatorKind, { cut, virtual }: Surroundings): Operator {
  if (kind === 'takeUntil') return takeUntil(cut);
  if (kind === 'observeOn virtual') return observeOn(virtual);
  if (kind === 'delay virtual') return delay(5, virtual);
  return simple[kind]();
}

export function pipeAll<T>(source: T, operators: readonly ((source: T) => T)[]): T {
  return operators.reduce((piped, operator) => operator(piped), source);
}
