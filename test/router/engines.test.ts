import { Subject } from 'rxjs';
import { expect, it } from 'vitest';
import {
  DuplicateRequestIdError,
  type EngineCoreOutputs,
  OutputRouter,
  RequestStreamClosedError,
} from '../../src/index.js';
import { batch, client, output, send, watch } from './router-run.js';

const failed = (requestId: string, engineIndex: number) =>
  expect.objectContaining({ name: 'RequestStreamClosedError', requestId, engineIndex });

const on = (engineIndex: number, step: EngineCoreOutputs): EngineCoreOutputs => ({ ...step, engineIndex });

it("gives a stream nothing of another engine's, not even its end", () => {
  const router = new OutputRouter();
  const seen: unknown[] = [];
  watch(router.open('a', 1), seen);
  router.next(batch([output('a'), output('a', 1, true)], ['a']));
  expect(seen).toEqual([]);
  const last = output('a', 1, true);
  router.next(on(1, batch([last], ['a'])));
  expect(seen).toEqual([last, 'complete']);
});

it('gives a batch that names no engine to whom it is for', () => {
  const router = new OutputRouter();
  const seen: unknown[] = [];
  watch(router.open('a', 1), seen);
  const value = output('a', 1, true);
  router.next({ timestamp: 1, outputs: [value] } as unknown as EngineCoreOutputs);
  expect(seen).toEqual([value, 'complete']);
});

it('fails the streams of one engine, with the cause, and no others', () => {
  const router = new OutputRouter();
  const a = client(router, 'a');
  const other: unknown[] = [];
  watch(router.open('b', 1), other);
  const cause = new Error('gone');
  router.failEngine(0, cause);
  expect(a.seen).toEqual([failed('a', 0)]);
  expect(a.seen[0]).toBeInstanceOf(RequestStreamClosedError);
  expect((a.seen[0] as Error).cause).toBe(cause);
  expect(String(a.seen[0])).toBe(
    'RequestStreamClosedError: request a on engine 0: expected a final output, got a failure of the engine',
  );
  expect([other, a.aborted]).toEqual([[], []]);
  router.next(on(1, batch([output('b', 1, true)])));
  expect(other).toHaveLength(2);
});

it('has no cause if none is given', () => {
  const router = new OutputRouter();
  const a = client(router, 'a');
  router.failEngine(0);
  expect(a.seen[0]).not.toHaveProperty('cause');
});

it('keeps the failure for a stream that nobody has subscribed to yet', () => {
  const router = new OutputRouter();
  const stream = router.open('a', 0);
  const value = output('a');
  send(router, value);
  router.failEngine(0);
  const seen: unknown[] = [];
  watch(stream, seen);
  expect(seen).toEqual([value, failed('a', 0)]);
});

it('takes new requests of an engine that has failed, and ignores what the old one still sends', () => {
  const router = new OutputRouter();
  client(router, 'a');
  router.failEngine(0);
  send(router, output('a', 1, true));
  const again = client(router, 'a');
  send(router, output('a'), output('a', 1, true));
  expect(again.seen).toHaveLength(3);
});

it('frees the ids that the engine held, and no others', () => {
  const router = new OutputRouter();
  client(router, 'a').subscription.unsubscribe();
  router.open('a', 10).subscribe().unsubscribe();
  router.failEngine(1);
  expect(() => router.open('a', 0)).toThrow(DuplicateRequestIdError);
  router.failEngine(0);
  expect(() => router.open('a', 10)).toThrow(DuplicateRequestIdError);
  expect(router.open('a', 0).requestId).toBe('a');
});

it('leaves alone what consumers open while they are told', () => {
  const router = new OutputRouter();
  const [again, new1] = [[], []] as unknown[][];
  router.open('a', 0).subscribe({
    error: () => {
      watch(router.open('a', 0), again!);
      watch(router.open('b', 0), new1!); // b is yet to be told
    },
  });
  const b: unknown[] = [];
  watch(router.open('b', 0), b);
  router.failEngine(0);
  expect([b, again, new1]).toEqual([[failed('b', 0)], [], []]);
  send(router, output('a', 1, true), output('b', 1, true));
  expect([again?.length, new1?.length]).toEqual([2, 2]);
});

it('delivers the batch in which a consumer reports the failure first', () => {
  const router = new OutputRouter();
  const a = client(router, 'a', {}, () => router.failEngine(0));
  const [b, c] = [client(router, 'b'), client(router, 'c')];
  const last = output('b', 1, true);
  send(router, output('a'), last, output('c'));
  expect(b.seen).toEqual([last, 'complete']);
  expect(a.seen).toEqual([expect.anything(), failed('a', 0)]);
  expect(c.seen).toEqual([expect.anything(), failed('c', 0)]);
});

it('calls onAbort of a consumer that leaves before it is told, and holds no id for it', () => {
  const router = new OutputRouter();
  const b = client(router, 'b');
  client(router, 'a', {}, () => {
    router.failEngine(0);
    b.subscription.unsubscribe();
  });
  send(router, output('a'));
  expect([b.seen, b.aborted]).toEqual([[], ['b']]);
  expect(router.open('b', 0).requestId).toBe('b');
});

it('does nothing for an engine without streams, after the end, or twice', () => {
  const router = new OutputRouter();
  router.failEngine(7);
  const a = client(router, 'a');
  router.failEngine(0);
  router.failEngine(0);
  router.complete();
  router.failEngine(0);
  expect(a.seen).toHaveLength(1);
});

it.each([
  [undefined, TypeError],
  ['0', TypeError],
  [-1, RangeError],
  [0.5, RangeError],
] as const)('refuses to fail engine %s', (engine, kind) => {
  const fail = () => new OutputRouter().failEngine(engine as number);
  expect(fail).toThrow(kind);
  expect(fail).toThrow(/^engineIndex/);
});

it('tells all streams of the engine when a teardown throws, and then throws that', () => {
  const router = new OutputRouter();
  const boom = router.open('a', 0).subscribe({ error: () => {} });
  boom.add(() => {
    throw new Error('boom');
  });
  const b = client(router, 'b');
  expect(() => router.failEngine(0)).toThrow(/boom/);
  expect(b.seen).toEqual([failed('b', 0)]);
});

it('works on a stream of batches whatever `this` it is called with', () => {
  const router = new OutputRouter();
  const batches = new Subject<EngineCoreOutputs>();
  const { next, error, complete } = router;
  batches.subscribe({ next, error, complete });
  const a = client(router, 'a');
  batches.next(batch([output('a', 1, true)]));
  const b = client(router, 'b');
  batches.complete();
  expect([a.seen.length, b.seen]).toEqual([2, [failed('b', 0)]]);
});
