/** What RxJS's own tests ask of each of its operators, and what the record adds to it. */
import { BehaviorSubject, mergeMap, NEVER, Observable, of, Subject, take } from 'rxjs';
import { expect, it } from 'vitest';
import {
  type EngineCoreStreamOutput,
  RequestStreamClosedError,
  tagEngine,
  withRequestMetrics,
} from '../../../src/index.js';
import { runMarbles } from '../../../src/testing/index.js';
import { recording } from '../../support/recording.js';
import { marbleRun, values } from '../marbles/marble-request.js';
import { final, other, token } from './stage.js';

const request = { numPromptTokens: 1, engineIndex: 0 };

it('does not break unsubscription chains when the result is unsubscribed explicitly', () => {
  runMarbles(({ clock, hot, expectObservable, expectSubscriptions }) => {
    const { operator } = marbleRun(clock);
    const source = hot('--a--b--a--|', values);
    const result = source.pipe(
      mergeMap((value) => of(value)),
      operator,
      mergeMap((value) => of(value)),
    );
    expectObservable(result, '^-----!-----').toBe('--a--b------', values);
    expectSubscriptions(source.subscriptions).toBe('^-----!-----');
  });
});

it('stops listening to a synchronous observable when unsubscribed', () => {
  const { metrics } = recording();
  const sent: number[] = [];
  const synchronous = new Observable<EngineCoreStreamOutput>((subscriber) => {
    // Looks at `closed` as a source does that could go on for ever.
    for (let i = 0; !subscriber.closed && i < 10; i++) {
      sent.push(i);
      subscriber.next(token);
    }
  });
  synchronous.pipe(withRequestMetrics(metrics, request), take(3)).subscribe();
  expect(sent).toEqual([0, 1, 2]);
  expect(metrics.forEngine(0).generationTokens.value).toBe(3);
});

it('hands on the very values and the very error', () => {
  const { metrics } = recording();
  const source = new Subject<EngineCoreStreamOutput>();
  const seen: unknown[] = [];
  source
    .pipe(withRequestMetrics(metrics, request))
    .subscribe({ next: (value) => seen.push(value), error: (error) => seen.push(error) });
  const error = new RequestStreamClosedError('id', 0, 'nothing');
  source.next(token);
  source.next(other);
  source.error(error);
  expect(seen[0]).toBe(token);
  expect(seen[1]).toBe(other);
  expect(seen[2]).toBe(error);
});

it('makes the record before it hands on the end', () => {
  const { metrics } = recording();
  const { requestSuccess } = metrics.forEngine(0);
  const source = new Subject<EngineCoreStreamOutput>();
  const counts: number[] = [];
  source.pipe(withRequestMetrics(metrics, request)).subscribe(() => counts.push(requestSuccess.stop.value));
  source.next(token);
  source.next(final);
  expect(counts).toEqual([0, 1]);
});

it('makes the record before the source is torn down', () => {
  const { metrics } = recording();
  const { requestSuccess } = metrics.forEngine(0);
  const counts: number[] = [];
  const source = new Observable<EngineCoreStreamOutput>(() => () => counts.push(requestSuccess.abort.value));
  source.pipe(withRequestMetrics(metrics, request)).subscribe().unsubscribe();
  expect(counts).toEqual([1]);
});

it('does nothing before it is subscribed', () => {
  const { metrics } = recording();
  let subscriptions = 0;
  const source = new Observable<EngineCoreStreamOutput>(() => {
    subscriptions++;
  });
  const stream = source.pipe(withRequestMetrics(metrics, request));
  expect([subscriptions, metrics.inFlight]).toEqual([0, 0]);
  stream.subscribe();
  expect([subscriptions, metrics.inFlight]).toEqual([1, 1]);
});

it('counts what a stateful source replays as a request of its own', () => {
  const { metrics } = recording();
  const stream = new BehaviorSubject(token).pipe(withRequestMetrics(metrics, request));
  const subscriptions = [stream.subscribe(), stream.subscribe()];
  expect(metrics.inFlight).toBe(2);
  for (const subscription of subscriptions) subscription.unsubscribe();
  expect(metrics.forEngine(0).requestSuccess.abort.value).toBe(2);
});

it('applies one operator to sources of several engines', () => {
  const { metrics } = recording();
  const operator = withRequestMetrics<EngineCoreStreamOutput>(metrics, { numPromptTokens: 1 });
  for (const engine of [0, 3]) NEVER.pipe(tagEngine(engine), operator).subscribe().unsubscribe();
  expect([0, 3].map((engine) => metrics.forEngine(engine).requestSuccess.abort.value)).toEqual([1, 1]);
});

it('does not look at outputs that come after the end', () => {
  const { metrics } = recording();
  const source = new Subject<EngineCoreStreamOutput>();
  const seen: unknown[] = [];
  source.pipe(withRequestMetrics(metrics, request)).subscribe((value) => seen.push(value));
  source.next(final);
  let looks = 0;
  const late = Object.defineProperty({ ...token }, 'output', {
    get: () => {
      looks++;
      return token.output;
    },
  });
  source.next(late);
  expect([seen, looks]).toEqual([[final, late], 0]);
});
