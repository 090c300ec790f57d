/** Both sides of the protocol against each other, on loopback. */
import { afterEach, expect, it } from 'vitest';
import {
  DuplicateRequestIdError,
  RequestStreamClosedError,
  SecondSubscriptionError,
} from '../../src/index.js';
import { EngineLostError } from '../../src/zeromq/index.js';
import { closeAll, eventually, HandSource, loopback, watch } from './rig.js';

afterEach(closeAll);

const request = (requestId: string, maxTokens = 4) => ({
  requestId,
  promptTokenIds: [1, 2, 3],
  samplingParams: { maxTokens },
});

it('sends a request with the subscription, gives its outputs, and ends with the final one', async () => {
  const source = new HandSource();
  const { client } = await loopback(source, 1);
  const batches: unknown[] = [];
  client.batches$.subscribe((batch) => batches.push(batch));
  const stream = client.generate(request('a', 9));
  expect([stream.engineIndex, stream.requestId]).toEqual([0, 'a']);
  const a = watch(stream);
  await source.until(({ submitted }) => submitted.length > 0);
  expect(source.submitted).toEqual([
    {
      engineIndex: 0,
      request: expect.objectContaining({
        requestId: 'a',
        promptTokenIds: [1, 2, 3],
        samplingParams: expect.objectContaining({ maxTokens: 9 }),
      }),
    },
  ]);
  source.token(0, 'a');
  source.token(0, 'a', true);
  expect(await a.ended).toBe('complete');
  expect(a.seen).toEqual([1, 1, 'complete']);
  expect(batches).toHaveLength(2);
});

it('sends nothing before the subscription', async () => {
  const source = new HandSource();
  const { client } = await loopback(source, 1);
  client.generate(request('never'));
  watch(client.generate(request('a')));
  await source.until(({ submitted }) => submitted.length > 0);
  expect(source.submitted.map((each) => each.request.requestId)).toEqual(['a']);
});

it.each(['final-output', 'silent'] as const)(
  'aborts once when its consumer leaves, reply: %s',
  async (abortReply) => {
    const source = new HandSource();
    const { client } = await loopback(source, 1, { abortReply });
    const batches: { readonly finishedRequests?: unknown }[] = [];
    client.batches$.subscribe((batch) => batches.push(batch as never));
    const a = watch(client.generate(request('a')));
    await source.until(({ submitted }) => submitted.length > 0);
    source.token(0, 'a');
    await eventually(() => a.seen.length === 1);
    a.unsubscribe();
    a.unsubscribe();
    await source.until(({ aborted }) => aborted.length > 0);
    await client.utility('is_sleeping'); // its answer comes after all that
    expect(source.aborted).toEqual(['a']);
    expect(batches.filter(({ finishedRequests }) => finishedRequests)).toHaveLength(
      abortReply === 'silent' ? 0 : 1,
    );
    expect(() => client.generate(request('a'))).toThrow(DuplicateRequestIdError);
  },
);

it('refuses ids that are open or were used, bad requests and unknown engines, at the call', async () => {
  const source = new HandSource();
  const { client } = await loopback(source, 1);
  const a = watch(client.generate(request('a')));
  expect(() => client.generate(request('a'))).toThrow(DuplicateRequestIdError);
  await source.until(({ submitted }) => submitted.length > 0);
  source.token(0, 'a', true);
  await a.ended;
  expect(() => client.generate(request('a'))).toThrow(/used before/);
  expect(() => client.generate({ requestId: 'b' } as never)).toThrow(/promptTokenIds/);
  expect(() => client.generate(request('b'), { engineIndex: 1 })).toThrow(
    /^engineIndex: expected one of 0, got 1/,
  );
  watch(client.generate(request('b')));
  await source.until(({ submitted }) => submitted.length > 1);
});

it('serves one subscription of a stream', async () => {
  const source = new HandSource();
  const { client } = await loopback(source, 1);
  const stream = client.generate(request('a'));
  const first = watch(stream);
  expect(await watch(stream).ended).toBeInstanceOf(SecondSubscriptionError);
  await source.until(({ submitted }) => submitted.length > 0);
  source.token(0, 'a', true);
  expect(await first.ended).toBe('complete');
  expect(source.submitted).toHaveLength(1);
});

it('picks the least loaded engine, by its stats or by what is open, and one that is asked for', async () => {
  const source = new HandSource();
  const { client } = await loopback(source, [3, 0, 258]);
  expect([...client.engines.keys()].sort()).toEqual([0, 258, 3]);
  source.send({ engineIndex: 0, schedulerStats: { numRunningReqs: 2, numWaitingReqs: 1 } });
  source.send({ engineIndex: 3, schedulerStats: { numRunningReqs: 1, numWaitingReqs: 0 } });
  await client.utility('is_sleeping');
  const picked = ['a', 'b', 'c', 'd'].map((id) => client.generate(request(id)).engineIndex);
  expect(picked).toEqual([258, 3, 3, 258]); // one of ours beside stats of 1 is a load of 1
  expect(client.generate(request('e'), { engineIndex: 258 }).engineIndex).toBe(258);
  expect(client.generate({ ...request('f'), dataParallelRank: 0 }).engineIndex).toBe(0);
});

it('calls methods of all engines, in the order of their indexes, or of one', async () => {
  const { client } = await loopback(new HandSource(), [1, 0]);
  expect(await client.utility('get_supported_tasks')).toEqual([['generate'], ['generate']]);
  expect(await client.utility('reset_prefix_cache', [false, false], 1)).toEqual([true]);
  expect(await client.utility('anything')).toEqual([undefined, undefined]);
});

it('skips a message that cannot be read, reports it, and goes on', async () => {
  const source = new HandSource();
  const { client, server, diagnostics } = await loopback(source, 1);
  const a = watch(client.generate(request('a')));
  await source.until(({ submitted }) => submitted.length > 0);
  server.sendRaw(0, Uint8Array.of(0xc1));
  server.sendRaw(0, Uint8Array.of(0x91, 7)); // an engine that is none of ours
  source.token(0, 'a', true);
  expect(await a.ended).toBe('complete');
  expect(client.skippedMessages).toBe(2);
  expect(diagnostics).toEqual([
    expect.objectContaining({ source: 'output', message: expect.stringContaining('1 so far') }),
    expect.objectContaining({ source: 'output', engineIndex: 7 }),
  ]);
});

it('ends a request as an error that its engine refuses', async () => {
  const source = new HandSource();
  source.submit = () => {
    throw new Error('no such adapter');
  };
  const { client } = await loopback(source, 1);
  const reasons: unknown[] = [];
  const stream = client.generate(request('a'));
  await new Promise<void>((resolve) => {
    stream.subscribe({ next: ({ output }) => reasons.push(output.finishReason), complete: resolve });
  });
  expect(reasons).toEqual(['error']);
});

it('closes: open streams end, what is open is aborted, all addresses are free', async () => {
  const source = new HandSource();
  const { client, handshake } = await loopback(source, 1);
  const a = watch(client.generate(request('a')));
  const completed = new Promise<void>((resolve) => {
    client.batches$.subscribe({ complete: resolve });
  });
  await source.until(({ submitted }) => submitted.length > 0);
  const call = client.utility('is_sleeping').catch((error) => error);
  await client.close();
  await client.close();
  await completed;
  expect(a.seen).toEqual([expect.any(RequestStreamClosedError)]);
  expect(await call).toEqual(expect.objectContaining({ message: expect.stringMatching(/closed/) }));
  expect(await watch(client.generate(request('b'))).ended).toBeInstanceOf(RequestStreamClosedError);
  await expect(client.utility('is_sleeping')).rejects.toThrow(/closed/);
  await source.until(({ aborted }) => aborted.includes('a'));
  await loopback(new HandSource(), 1, { handshake });
});

it('says of an engine that is lost what it was lost by, and that none is ready', async () => {
  const { client, server } = await loopback(new HandSource(), 1);
  const states: unknown[] = [];
  client.status$.subscribe(({ state }) => states.push(state));
  server.kill(0);
  await eventually(() => states.includes('lost'));
  const error = await watch(client.generate(request('a'))).ended;
  expect(error).toBeInstanceOf(EngineLostError);
  expect(error).toEqual(expect.objectContaining({ engineIndex: 0, reason: 'no engine is ready' }));
  const named = await watch(client.generate(request('b'), { engineIndex: 0 })).ended;
  expect(named).toEqual(expect.objectContaining({ engineIndex: 0, reason: 'its connection closed' }));
  await expect(client.utility('is_sleeping')).rejects.toThrow(EngineLostError);
});
