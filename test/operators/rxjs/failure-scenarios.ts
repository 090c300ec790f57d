/** Consumers, operators and teardowns that throw. */
import { finalize, map, tap } from 'rxjs';
import { OutputRouter } from '../../../src/index.js';
import type { ScenarioRow } from './rivals.js';
import { boom, consumer, final, handSource, loopSource, token } from './stage.js';

const throwBoom = (): never => {
  throw boom;
};

export const throwing: readonly ScenarioRow[] = [
  [
    'a consumer that throws in next',
    (op, s) =>
      loopSource(s, [token, final])
        .pipe(op)
        .subscribe(consumer(s, { next: throwBoom })),
    ['stop'],
  ],
  [
    'a consumer that throws in complete',
    (op, s) =>
      loopSource(s, [token])
        .pipe(op)
        .subscribe(consumer(s, { complete: throwBoom })),
    ['abort'],
  ],
  [
    'a consumer that throws in error',
    (op, s) => {
      const source = handSource(s);
      source.values.pipe(op).subscribe(consumer(s, { error: throwBoom }));
      source.to.error(new Error('of the source'));
    },
    ['error'],
  ],
  [
    'no error handler',
    (op, s) => {
      const source = handSource(s);
      source.values.pipe(op).subscribe();
      source.to.error(boom);
    },
    ['error'],
  ],
  [
    'an operator downstream that throws',
    (op, s) => {
      const source = handSource(s);
      source.values.pipe(op, map(throwBoom)).subscribe(consumer(s));
      source.to.next(token);
      s.log.push(`closed ${source.to.closed}`);
      source.to.next(final);
    },
    ['abort'],
  ],
  [
    'an operator downstream that throws at the finish',
    (op, s) =>
      loopSource(s, [token, final])
        .pipe(
          op,
          tap((value) => value === final && throwBoom()),
        )
        .subscribe(consumer(s)),
    ['stop'],
  ],
  [
    'a finalize downstream that throws at the end',
    (op, s) => loopSource(s, [token, final]).pipe(op, finalize(throwBoom)).subscribe(consumer(s)),
    ['stop'],
  ],
  [
    'a finalize upstream that throws at the end',
    (op, s) => loopSource(s, [token, final]).pipe(finalize(throwBoom), op).subscribe(consumer(s)),
    ['stop'],
  ],
];

/** `tap` calls its consumer inside a `try` and then fails a stream that has ended; most operators let it through. */
export const swallowedByTap: readonly ScenarioRow[] = [
  [
    'a teardown that throws when the source completes',
    (op, s) => {
      const source = handSource(s, throwBoom);
      source.values.pipe(op).subscribe(consumer(s));
      source.to.next(final);
      source.to.complete();
    },
    ['stop'],
  ],
  [
    'a teardown that throws when the source fails',
    (op, s) => {
      const source = handSource(s, throwBoom);
      source.values.pipe(op).subscribe(consumer(s));
      source.to.error(new Error('of the source'));
    },
    ['error'],
  ],
];

export const lostToTeardowns: readonly ScenarioRow[] = [
  [
    'a teardown that throws at unsubscribe',
    (op, s) => handSource(s, throwBoom).values.pipe(op).subscribe(consumer(s)).unsubscribe(),
    ['abort'],
  ],
  [
    'two teardowns that throw at unsubscribe',
    (op, s) =>
      handSource(s, throwBoom)
        .values.pipe(finalize(throwBoom), op, finalize(throwBoom))
        .subscribe(consumer(s))
        .unsubscribe(),
    ['abort'],
  ],
  [
    'an onAbort that throws',
    (op, s) =>
      new OutputRouter().open('id', 0, { onAbort: throwBoom }).pipe(op).subscribe(consumer(s)).unsubscribe(),
    ['abort'],
  ],
];
