import { take, takeWhile } from 'rxjs';
import { expect, it } from 'vitest';
import { EngineCoreOutputStream, OutputRouter, SecondSubscriptionError } from '../../src/index.js';
import { client, output, send, watch } from './router-run.js';

it('gives each request its own outputs, in order, and the end with the final one', () => {
  const router = new OutputRouter();
  const [a, b] = [client(router, 'a'), client(router, 'b')];
  const [a1, b1, a2, b2] = [output('a'), output('b', 2), output('a', 1, true), output('b', 0)];
  send(router, a1, b1);
  send(router, a2, b2);
  expect(a.seen).toEqual([a1, a2, 'complete']);
  expect(b.seen).toEqual([b1, b2]);
  expect(a.seen[0]).toBe(a1);
});

it('hands on the engine and the time of the step', () => {
  const router = new OutputRouter();
  const seen: unknown[] = [];
  router.open('a', 3).subscribe((value) => seen.push(value));
  const value = output('a');
  router.next({ engineIndex: 3, timestamp: 12.5, outputs: [value] });
  expect(seen).toEqual([{ engineIndex: 3, timestamp: 12.5, output: value }]);
});

it('tags its streams with engine and request id', () => {
  const stream = new OutputRouter().open('a', 4);
  expect(stream).toBeInstanceOf(EngineCoreOutputStream);
  expect([stream.engineIndex, stream.requestId]).toEqual([4, 'a']);
});

it('keeps outputs that come before the subscription, the end too', () => {
  const router = new OutputRouter();
  const stream = router.open('a', 0);
  const outputs = [output('a'), output('a', 2), output('a', 0, true)];
  for (const value of outputs) send(router, value);
  const seen: unknown[] = [];
  watch(stream, seen);
  expect(seen).toEqual([...outputs, 'complete']);
});

it('delivers kept outputs before those they make the engine send', () => {
  const router = new OutputRouter();
  const stream = router.open('a', 0);
  const [first, second, third, last] = [output('a'), output('a', 2), output('a', 3), output('a', 0, true)];
  send(router, first, second);
  const seen: unknown[] = [];
  const answers = [[third], [last]];
  watch(stream, seen, () => send(router, ...(answers.shift() ?? [])));
  expect(seen).toEqual([first, second, third, last, 'complete']);
});

it('goes straight on to the subscriber once the kept outputs are delivered', () => {
  const router = new OutputRouter();
  const stream = router.open('a', 0);
  send(router, output('a'));
  const seen: unknown[] = [];
  watch(stream, seen);
  send(router, output('a', 2));
  expect(seen).toHaveLength(2);
});

it('ignores outputs of unknown requests, of ended ones, and second final ones', () => {
  const router = new OutputRouter();
  const a = client(router, 'a');
  const last = output('a', 1, true);
  send(router, output('nobody'), last, output('a'), output('a', 1, true));
  send(router, output('a'));
  expect(a.seen).toEqual([last, 'complete']);
});

it('serves one subscription; a second one gets an error and disturbs nothing', () => {
  const router = new OutputRouter();
  const a = client(router, 'a');
  const second: unknown[] = [];
  watch(a.stream, second).unsubscribe();
  send(router, output('a'), output('a', 0, true));
  expect(second).toEqual([
    expect.objectContaining({
      name: 'SecondSubscriptionError',
      requestId: 'a',
      message: expect.stringMatching(/request a: expected one/),
    }),
  ]);
  expect(second[0]).toBeInstanceOf(SecondSubscriptionError);
  expect(a.seen).toHaveLength(3);
  expect(a.aborted).toEqual([]);
});

it('gives a second subscription the error also after the end', () => {
  const router = new OutputRouter();
  const a = client(router, 'a');
  send(router, output('a', 0, true));
  const second: unknown[] = [];
  watch(a.stream, second);
  expect(second).toEqual([expect.any(Error)]);
});

it('lets a consumer open and serve another request while it is being served', () => {
  const router = new OutputRouter();
  const b: unknown[] = [];
  const a = client(router, 'a', {}, () => {
    if (b.length > 0) return;
    watch(router.open('b', 0), b);
    send(router, output('b'));
  });
  const [later, last] = [output('b', 2), output('b', 0, true)];
  send(router, output('a'), later);
  expect([a.seen.length, b.length]).toEqual([1, 1]); // opened while that batch was delivered: nothing of it is for b
  send(router, last);
  expect(b.at(-2)).toBe(last);
});

it('makes no abort of a consumer that leaves with the final output', () => {
  const router = new OutputRouter();
  const aborted: string[] = [];
  const isLive = ({ output: { finishReason } }: { output: { finishReason?: unknown } }) =>
    finishReason === undefined;
  const seen: unknown[] = [];
  router
    .open('a', 0, { onAbort: (id) => aborted.push(id) })
    .pipe(takeWhile(isLive, true))
    .subscribe({ complete: () => seen.push('complete') });
  router
    .open('b', 0, { onAbort: (id) => aborted.push(id) })
    .pipe(take(1))
    .subscribe();
  send(router, output('a', 1, true), output('b', 1, true));
  expect([seen, aborted]).toEqual([['complete'], []]);
});
