/** Ways for a stream to end, or to go on after it has. */
import { concat, finalize, NEVER, Observable, of, Subject, Subscription, take, throwError } from 'rxjs';
import type { Scenario, ScenarioRow } from './rivals.js';
import {
  boom,
  consumer,
  final,
  type HandSource,
  handSource,
  loopSource,
  other,
  token,
  type Value,
} from './stage.js';

/** The source goes on after the end. */
function after(end: (source: HandSource, subscription: Subscription) => void): Scenario {
  return (op, s) => {
    const source = handSource(s);
    end(source, source.values.pipe(op).subscribe(consumer(s)));
    source.to.next(final);
    source.to.error(boom);
    source.to.complete();
  };
}

export const endings: readonly ScenarioRow[] = [
  [
    'finish, then complete',
    (op, s) => loopSource(s, [token, final]).pipe(op).subscribe(consumer(s)),
    ['stop'],
  ],
  ['completion', (op, s) => loopSource(s, [token]).pipe(op).subscribe(consumer(s)), ['abort']],
  [
    'error',
    (op, s) =>
      concat(
        of(token),
        throwError(() => boom),
      )
        .pipe(op)
        .subscribe(consumer(s)),
    ['error'],
  ],
  [
    'unsubscribe',
    (op, s) => {
      const source = handSource(s);
      const subscription = source.values
        .pipe(
          op,
          finalize(() => s.log.push('finalized')),
        )
        .subscribe(consumer(s));
      source.to.next(token);
      subscription.unsubscribe();
      s.log.push(String(source.to.closed));
    },
    ['abort'],
  ],
  [
    'take on a synchronous source',
    (op, s) => loopSource(s, [token, other, final, token]).pipe(op, take(2)).subscribe(consumer(s)),
    ['abort'],
  ],
  [
    'take(0), which subscribes to nothing',
    (op, s) => loopSource(s, [token]).pipe(op, take(0)).subscribe(consumer(s)),
    [],
  ],
  [
    'a source that throws while it is subscribed',
    (op, s) =>
      new Observable<Value>((subscriber) => {
        subscriber.next(token);
        throw boom;
      })
        .pipe(op)
        .subscribe(consumer(s)),
    ['error'],
  ],
  ['notifications after completion', after(({ to }) => to.complete()), ['abort']],
  ['notifications after an error', after(({ to }) => to.error(boom)), ['error']],
  ['notifications after unsubscribe', after((_source, left) => left.unsubscribe()), ['abort']],
  [
    'a source that unsubscribes its own subscriber',
    (op, s) => {
      const source = handSource(s);
      const subscription = source.values.pipe(op).subscribe(consumer(s));
      source.to.unsubscribe();
      source.to.next(token);
      s.log.push(String(subscription.closed));
    },
    ['abort'],
  ],
  [
    'a Subject as the consumer',
    (op, s) => {
      const subject = new Subject<Value>();
      subject.subscribe(consumer(s));
      loopSource(s, [token, final]).pipe(op).subscribe(subject);
    },
    ['stop'],
  ],
  [
    'a Subject as the consumer, unsubscribed meanwhile',
    (op, s) => {
      const subject = new Subject<Value>();
      const source = handSource(s);
      source.values.pipe(op).subscribe(subject);
      subject.unsubscribe();
      source.to.next(token);
      source.to.complete();
    },
    ['abort'],
  ],
  [
    'a parent subscription',
    (op, s) => {
      const parent = new Subscription();
      parent.add(NEVER.pipe(op).subscribe(consumer(s)));
      parent.unsubscribe();
    },
    ['abort'],
  ],
];

/** `tap` is unsubscribed before it knows what to call: it makes no record of these. */
export const lostByTap: readonly ScenarioRow[] = [
  [
    'a destination that is closed already',
    (op, s) =>
      new Observable<Value>((subscriber) => {
        subscriber.complete();
        return loopSource(s, [token]).pipe(op).subscribe(subscriber);
      }).subscribe(consumer(s)),
    ['abort'],
  ],
  [
    'a destination that is closed already, of a source that never ends',
    (op, s) =>
      new Observable<Value>((subscriber) => {
        subscriber.unsubscribe();
        return handSource(s).values.pipe(op).subscribe(subscriber);
      }).subscribe(consumer(s)),
    ['abort'],
  ],
];
