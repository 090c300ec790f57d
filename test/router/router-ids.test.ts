import { expect, it } from 'vitest';
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
  expect(again).toHaveLength(1);
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
