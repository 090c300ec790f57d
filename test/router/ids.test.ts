import { take } from 'rxjs';
import { expect, it, vi } from 'vitest';
import { DuplicateRequestIdError, OutputRouter } from '../../src/index.js';
import { MAX_ABORTED_IDS } from '../../src/router/aborted-ids.js';
import { batch, client, output, send, watch } from './router-run.js';

it('refuses an id that is open, on any engine', () => {
  const router = new OutputRouter();
  router.open('a', 0);
  for (const engine of [0, 1]) {
    expect(() => router.open('a', engine)).toThrow(DuplicateRequestIdError);
    expect(() => router.open('a', engine)).toThrow(
      expect.objectContaining({ requestId: 'a', message: expect.stringContaining('requestId a') }),
    );
  }
});

it('takes an id again that has ended', () => {
  const router = new OutputRouter();
  const first = client(router, 'a');
  send(router, output('a', 0, true));
  const second = client(router, 'a');
  router.next(batch([], ['a']));
  const third = client(router, 'a');
  send(router, output('a'));
  expect([first, second, third].map(({ seen }) => seen.length)).toEqual([2, 1, 1]);
});

it('takes an id again while its end is being told', () => {
  const router = new OutputRouter();
  const again: unknown[] = [];
  router.open('a', 0).subscribe({ complete: () => watch(router.open('a', 0), again) });
  send(router, output('a', 0, true), output('a'));
  expect(again).toEqual([]); // what is left of that batch was sent before it was there
  send(router, output('a'));
  expect(again).toHaveLength(1);
});

it('keeps an id that was opened while a batch is delivered from the rest of that batch', () => {
  const router = new OutputRouter();
  const again: unknown[] = [];
  router.open('a', 0).subscribe({ complete: () => watch(router.open('a', 0), again) });
  router.next(batch([output('a', 1, true), output('a', 1, true)], ['a']));
  expect(again).toEqual([]);
  const last = output('a', 1, true);
  send(router, last);
  expect(again).toEqual([last, 'complete']);
});

it.each([
  ['its final output', (router: OutputRouter) => send(router, output('a', 0, true))],
  ['finishedRequests', (router: OutputRouter) => router.next(batch([], ['a']))],
] as const)('refuses an aborted id until %s', (_name, answer) => {
  const router = new OutputRouter();
  client(router, 'a').subscription.unsubscribe();
  send(router, output('a')); // on its way when the abort was sent
  expect(() => router.open('a', 0)).toThrow(DuplicateRequestIdError);
  answer(router);
  const again = client(router, 'a');
  send(router, output('a'));
  expect(again.seen).toHaveLength(1);
});

it('holds an aborted id on its engine only', () => {
  const router = new OutputRouter();
  client(router, 'a').subscription.unsubscribe();
  const other: unknown[] = [];
  const subscription = watch(router.open('a', 1), other);
  router.next(batch([output('a'), output('a', 0, true)], ['a'])); // engine 0 lets go
  expect(other).toEqual([]);
  subscription.unsubscribe(); // now held on engine 1
  expect(() => router.open('a', 1)).toThrow(DuplicateRequestIdError);
  router.next({ ...batch([], ['a']), engineIndex: 1 });
  expect(router.open('a', 1).engineIndex).toBe(1);
});

it.each([0, 1_000_000])('holds an aborted id for 30 s, aborted at %d ms', (start) => {
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    vi.advanceTimersByTime(start);
    const router = new OutputRouter();
    client(router, 'a').subscription.unsubscribe();
    vi.advanceTimersByTime(29_999);
    expect(() => router.open('a', 0)).toThrow(DuplicateRequestIdError);
    vi.advanceTimersByTime(1);
    client(router, 'a').subscription.unsubscribe(); // held anew, from now
    vi.advanceTimersByTime(29_999);
    expect(() => router.open('a', 0)).toThrow(DuplicateRequestIdError);
    vi.advanceTimersByTime(1);
    expect(router.open('a', 0).requestId).toBe('a');
  } finally {
    vi.useRealTimers();
  }
});

it('does not let a batch free an id that was aborted after it had come', () => {
  const router = new OutputRouter();
  router.open('a', 0).subscribe({ complete: () => watch(router.open('a', 0), []).unsubscribe() });
  router.next(batch([output('a', 0, true), output('a', 0, true)], ['a']));
  expect(() => router.open('a', 0)).toThrow(DuplicateRequestIdError);
});

it('frees an id in the batch in which its consumer leaves', () => {
  const router = new OutputRouter();
  router.open('a', 0).pipe(take(1)).subscribe();
  router.next(batch([output('a')], ['a']));
  expect(router.open('a', 0).requestId).toBe('a');
});

it('remembers 65,536 aborted ids and frees the oldest first', () => {
  const router = new OutputRouter();
  const abort = (id: string) => router.open(id, 0).subscribe().unsubscribe();
  for (let i = 0; i < MAX_ABORTED_IDS; i++) abort(`id-${i}`);
  expect(MAX_ABORTED_IDS).toBe(65_536);
  expect(() => router.open('id-0', 0)).toThrow(DuplicateRequestIdError);
  abort('one more');
  expect(router.open('id-0', 0).requestId).toBe('id-0');
  expect(() => router.open('id-1', 0)).toThrow(DuplicateRequestIdError);
  expect(() => router.open('one more', 0)).toThrow(DuplicateRequestIdError);
});

it('has ids that are names of Object.prototype', () => {
  const router = new OutputRouter();
  for (const id of ['__proto__', 'constructor', 'toString', '']) {
    const { seen } = client(router, id);
    send(router, output(id), output(id, 0, true));
    expect(seen).toHaveLength(3);
  }
});

it.each([
  [undefined, 0, TypeError, /^requestId/],
  [7, 0, TypeError, /^requestId/],
  ['a', undefined, TypeError, /^engineIndex/],
  ['a', '0', TypeError, /^engineIndex/],
  ['a', -1, RangeError, /^engineIndex/],
  ['a', 0.5, RangeError, /^engineIndex/],
  ['a', Number.NaN, RangeError, /^engineIndex/],
] as const)('refuses to open %s on engine %s', (id, engine, kind, message) => {
  const router = new OutputRouter();
  const open = () => router.open(id as string, engine as number);
  expect(open).toThrow(kind);
  expect(open).toThrow(message);
  expect(router.open('a', 0).requestId).toBe('a');
});

it('lets go of an id that follows one it does not hold', () => {
  const router = new OutputRouter();
  client(router, 'a').subscription.unsubscribe();
  router.next(batch([output('unknown', 0, true), output('a', 0, true)]));
  client(router, 'a').subscription.unsubscribe();
  router.next(batch([], ['unknown', 'a']));
  expect(() => router.open('a', 0)).not.toThrow();
});

it('lets go of no id for a number that is spelled like it', () => {
  const router = new OutputRouter();
  client(router, '5').subscription.unsubscribe();
  router.next(batch([], [5 as unknown as string]));
  expect(() => router.open('5', 0)).toThrow(DuplicateRequestIdError);
});
