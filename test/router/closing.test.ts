import { Subject } from 'rxjs';
import { expect, it } from 'vitest';
import { type EngineCoreOutputs, OutputRouter, RequestStreamClosedError } from '../../src/index.js';
import { batch, client, output, send, watch } from './router-run.js';

const closed = (requestId: string, engineIndex = 0) =>
  expect.objectContaining({ name: 'RequestStreamClosedError', requestId, engineIndex });

it('fails a stream whose request is finished without a final output', () => {
  const router = new OutputRouter();
  const [a, b] = [client(router, 'a'), client(router, 'b')];
  router.next(batch([output('a')], ['a', 'nobody']));
  expect(a.seen).toEqual([expect.anything(), closed('a')]);
  expect(a.seen[1]).toBeInstanceOf(RequestStreamClosedError);
  expect(a.seen[1]).not.toHaveProperty('cause');
  expect(b.seen).toEqual([]);
});

it('takes the final output of the step that names the request as finished', () => {
  const router = new OutputRouter();
  const a = client(router, 'a');
  router.next(batch([output('a', 1, true)], ['a']));
  expect(a.seen.at(-1)).toBe('complete');
});

it('fails open streams with the error of the batches as the cause', () => {
  const router = new OutputRouter();
  const batches = new Subject<EngineCoreOutputs>();
  batches.subscribe(router);
  const a = client(router, 'a');
  const waiting = router.open('waiting', 2);
  batches.next({ ...batch([output('waiting')]), engineIndex: 2 });
  const cause = new Error('the socket closed');
  batches.error(cause);
  const late: unknown[] = [];
  watch(waiting, late);
  expect(a.seen).toEqual([closed('a')]);
  expect(late).toEqual([expect.anything(), closed('waiting', 2)]);
  expect((late[1] as Error).cause).toBe(cause);
});

it('keeps undefined as the cause if that is what the batches failed with', () => {
  const router = new OutputRouter();
  const a = client(router, 'a');
  router.error(undefined);
  expect(a.seen).toEqual([closed('a')]);
  expect(a.seen[0]).toHaveProperty('cause', undefined);
});

it('fails open streams at the end of the batches, without a cause', () => {
  const router = new OutputRouter();
  const a = client(router, 'a');
  router.complete();
  expect(a.seen).toEqual([closed('a')]);
  expect(a.seen[0]).not.toHaveProperty('cause');
  expect(a.aborted).toEqual([]);
});

it('gives later opens a stream that fails, with the cause of the end', () => {
  const router = new OutputRouter();
  const cause = new Error('gone');
  router.error(cause);
  const a = client(router, 'a');
  expect(a.seen).toEqual([closed('a')]);
  expect((a.seen[0] as Error).cause).toBe(cause);
  expect(a.stream.engineIndex).toBe(0);
  expect(a.aborted).toEqual([]);
  expect(client(router, 'a').seen).toEqual([closed('a')]); // nothing of it is kept
});

it('keeps to the first end', () => {
  const router = new OutputRouter();
  router.complete();
  router.error(new Error('late'));
  router.complete();
  send(router, output('a'));
  expect(client(router, 'a').seen[0]).not.toHaveProperty('cause');
});

it('fails a request that is opened while the streams are being ended', () => {
  const router = new OutputRouter();
  const seen: unknown[] = [];
  router.open('a', 0).subscribe({ error: () => watch(router.open('b', 0), seen) });
  router.complete();
  expect(seen).toEqual([closed('b')]);
});

it('says in its message what it expected and what it got', () => {
  const router = new OutputRouter();
  const a = client(router, 'a');
  router.complete();
  expect(String(a.seen[0])).toBe(
    'RequestStreamClosedError: request a on engine 0: expected a final output, got the end of the batches',
  );
});
