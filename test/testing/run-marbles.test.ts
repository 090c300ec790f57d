import { AssertionError } from 'node:assert';
import { asyncScheduler, delay, interval, map, of, take, timer } from 'rxjs';
import { expect, it } from 'vitest';
import { runMarbles } from '../../src/testing/index.js';

it.each([
  ['a value too many', '-a-a|', '-a--|'],
  ['a value too few', '-a--|', '-a-a|'],
  ['another time', '-a--|', '--a-|'],
  ['another end', '-a--|', '-a--#'],
  ['no end', '-a---', '-a--|'],
])('throws an AssertionError, whatever the test framework, on %s', (_name, actual, expected) => {
  const wrong = () =>
    runMarbles(({ cold, expectObservable }) => expectObservable(cold(actual)).toBe(expected));
  expect(wrong).toThrow(AssertionError);
});

it('compares values in depth', () => {
  const run = (value: object) => () =>
    runMarbles(({ cold, expectObservable }) =>
      expectObservable(cold('a|', { a: { b: [1] } })).toBe('a|', { a: value }),
    );
  expect(run({ b: [1] })).not.toThrow();
  expect(run({ b: [2] })).toThrow(AssertionError);
  expect(run({ b: ['1'] })).toThrow(AssertionError);
});

it('throws on a mismatch of subscriptions', () => {
  const run = (marbles: string) => () =>
    runMarbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source = cold('-a-b-c-|');
      expectObservable(source.pipe(take(2))).toBe('-a-(b|)');
      expectSubscriptions(source.subscriptions).toBe(marbles);
    });
  expect(run('^--!')).not.toThrow();
  expect(run('^---!')).toThrow(AssertionError);
});

it('hands out a clock of virtual milliseconds', () => {
  const times: number[] = [];
  runMarbles(({ cold, clock, expectObservable }) => {
    times.push(clock.now());
    const stamped = cold('-a 9ms b|').pipe(map(() => times.push(clock.now())));
    expectObservable(stamped).toBe('-x 9ms y|', { x: 2, y: 3 });
  });
  expect(times).toEqual([0, 1, 11]);
});

it('runs timers in virtual time and gives back what the body gives', () => {
  const seen: number[] = [];
  const result = runMarbles(({ flush }) => {
    timer(3_600_000).subscribe((value) => seen.push(value));
    interval(1000)
      .pipe(take(2))
      .subscribe((value) => seen.push(value));
    of('later')
      .pipe(delay(50, asyncScheduler))
      .subscribe(() => seen.push(9));
    flush();
    return 'the result';
  });
  expect([result, seen]).toEqual(['the result', [9, 0, 1, 0]]);
});

it('throws what the body throws', () => {
  const boom = new Error('boom');
  expect(() =>
    runMarbles(() => {
      throw boom;
    }),
  ).toThrow(boom);
});
