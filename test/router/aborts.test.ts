import { finalize, take } from 'rxjs';
import { expect, it } from 'vitest';
import { DuplicateRequestIdError, OutputRouter, withRequestMetrics } from '../../src/index.js';
import { recording } from '../support/recording.js';
import { batch, client, output, send, watch } from './router-run.js';

it('calls onAbort once, with the id, when a live stream is unsubscribed', () => {
  const router = new OutputRouter();
  const a = client(router, 'a');
  send(router, output('a'));
  a.subscription.unsubscribe();
  a.subscription.unsubscribe();
  send(router, output('a'), output('a', 0, true));
  expect(a.aborted).toEqual(['a']);
  expect(a.seen).toHaveLength(1);
});

it('does without onAbort', () => {
  const router = new OutputRouter();
  router.open('a', 0).subscribe().unsubscribe();
  expect(() => router.open('a', 0)).toThrow(DuplicateRequestIdError);
});

it('makes no abort of a stream that has ended', () => {
  const router = new OutputRouter();
  const [done, failed] = [client(router, 'done'), client(router, 'failed')];
  router.next(batch([output('done', 0, true)], ['failed']));
  for (const { subscription } of [done, failed]) subscription.unsubscribe();
  expect([done.aborted, failed.aborted]).toEqual([[], []]);
});

it('makes no abort of a consumer that leaves at the end it is being told of', () => {
  const router = new OutputRouter();
  const aborted: string[] = [];
  const stream = router.open('a', 0, { onAbort: (id) => aborted.push(id) });
  const subscription = stream.subscribe({ error: () => subscription.unsubscribe() });
  router.complete();
  expect(aborted).toEqual([]);
});

it('aborts when the consumer leaves while kept outputs are delivered', () => {
  const router = new OutputRouter();
  const aborted: string[] = [];
  const stream = router.open('a', 0, { onAbort: (id) => aborted.push(id) });
  send(router, output('a'), output('a', 2), output('a', 3));
  const seen: unknown[] = [];
  stream.pipe(take(2)).subscribe((value) => seen.push(value));
  expect([seen.length, aborted]).toEqual([2, ['a']]);
});

it('makes no abort of a consumer that leaves while kept outputs with the final one are delivered', () => {
  const router = new OutputRouter();
  const aborted: string[] = [];
  const stream = router.open('a', 0, { onAbort: (id) => aborted.push(id) });
  send(router, output('a'), output('a', 0, true));
  stream.pipe(take(1)).subscribe();
  expect(aborted).toEqual([]);
});

it('aborts when a consumer leaves kept outputs with a teardown that throws', () => {
  const router = new OutputRouter();
  const aborted: string[] = [];
  const stream = router.open('a', 0, { onAbort: (id) => aborted.push(id) });
  send(router, output('a'), output('a'));
  const boom = finalize(() => {
    throw new Error('boom');
  });
  stream.pipe(boom, take(1)).subscribe({ error: () => {} });
  router.next(batch([], ['a']));
  expect(aborted).toEqual(['a']);
  expect(router.open('a', 0).requestId).toBe('a');
});

it('lets what onAbort throws surface as RxJS lets any teardown, and makes the record', () => {
  const { metrics } = recording();
  const router = new OutputRouter();
  const onAbort = () => {
    throw new Error('the engine is gone');
  };
  const subscription = router
    .open('a', 0, { onAbort })
    .pipe(withRequestMetrics(metrics, { numPromptTokens: 1 }))
    .subscribe();
  expect(() => subscription.unsubscribe()).toThrow(/the engine is gone/);
  expect(metrics.forEngine(0).requestSuccess.abort.value).toBe(1);
  expect(metrics.inFlight).toBe(0);
});

it('serves the other requests of a step when a teardown throws, and then throws that', () => {
  const router = new OutputRouter();
  const boom = finalize(() => {
    throw new Error('boom');
  });
  router.open('a', 0).pipe(boom).subscribe();
  router
    .open('b', 0)
    .pipe(boom)
    .subscribe({ error: () => {} });
  const [c, d] = [client(router, 'c'), client(router, 'd')];
  const step = batch([output('a', 0, true), output('c', 0, true)], ['b', 'd']);
  expect(() => router.next(step)).toThrow(/boom/);
  expect(c.seen).toHaveLength(2);
  expect(d.seen).toEqual([expect.any(Error)]);
});

it('ends all open streams when one of their teardowns throws, and then throws that', () => {
  const router = new OutputRouter();
  const boom = finalize(() => {
    throw new Error('boom');
  });
  router
    .open('a', 0)
    .pipe(boom)
    .subscribe({ error: () => {} });
  const b = client(router, 'b');
  expect(() => router.complete()).toThrow(/boom/);
  expect(b.seen).toEqual([expect.any(Error)]);
});

it('lets onAbort answer with the final output at once', () => {
  const router = new OutputRouter();
  const a = client(router, 'a', { onAbort: (id) => send(router, output(id, 0, true)) });
  a.subscription.unsubscribe();
  expect(a.seen).toEqual([]);
  const again: unknown[] = [];
  watch(router.open('a', 0), again);
  send(router, output('a'));
  expect(again).toHaveLength(1);
});
