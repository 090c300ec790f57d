import { firstValueFrom, toArray } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';
import { chat$, fromAsyncIterable, observeChat, requestInfoOf, withUsage } from '../../src/openai/index.js';
import { Gateway } from './gateway.js';

const text = (content: string) => ({ choices: [{ index: 0, delta: { content } }] });
const finish = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
const ended = (reason: string) => `request_success_total{finished_reason="${reason}"}`;
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** An upstream that gives these chunks and then hangs, or ends; it notes what becomes of it. */
class Upstream {
  signal: AbortSignal | undefined;
  calls = 0;
  returned = false;

  constructor(
    readonly chunks: readonly unknown[],
    readonly hangs = false,
  ) {}

  readonly call = async (signal: AbortSignal): Promise<AsyncIterable<unknown>> => {
    this.calls++;
    this.signal = signal;
    return this.#stream();
  };

  async *#stream(): AsyncGenerator<unknown> {
    try {
      yield* this.chunks;
      if (this.hangs) await new Promise(() => {});
    } finally {
      this.returned = true;
    }
  }
}

async function collect<T>(chunks: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return all;
}

describe('observeChat', () => {
  it('gives the same chunks and records them', async () => {
    const gateway = new Gateway();
    const upstream = new Upstream([text('a'), text('b'), finish]);
    const all = await collect(observeChat(gateway.metrics, {}, upstream.call));
    expect(all).toEqual(upstream.chunks);
    expect(all[0]).toBe(upstream.chunks[0]);
    expect(await gateway.page()).toMatchObject({ generation_tokens_total: 2, [ended('stop')]: 1 });
    expect(upstream.signal?.aborted).toBe(false);
  });

  it('asks nobody until it is iterated, and starts its time before the call', async () => {
    const gateway = new Gateway();
    const upstream = new Upstream([text('a'), finish]);
    const chunks = observeChat(gateway.metrics, {}, async (signal) => {
      gateway.nowMs += 35; // the headers
      return upstream.call(signal);
    });
    await turn();
    expect([upstream.calls, gateway.metrics.inFlight]).toEqual([0, 0]);
    await collect(chunks);
    expect(await gateway.page()).toMatchObject({ time_to_first_token_seconds_sum: 0.035 });
  });

  it('aborts at once when the loop is left, though the upstream hangs', async () => {
    const gateway = new Gateway();
    const upstream = new Upstream([text('a')], true);
    const iterator = observeChat(gateway.metrics, {}, upstream.call)[Symbol.asyncIterator]();
    await iterator.next();
    const hung = iterator.next();
    await turn();
    await iterator.return!();
    expect(upstream.signal?.aborted).toBe(true);
    expect(await hung).toEqual({ done: true, value: undefined });
    expect(await gateway.page()).toMatchObject({ [ended('abort')]: 1, generation_tokens_total: 1 });
  });

  it('aborts when the consumer throws', async () => {
    const gateway = new Gateway();
    const upstream = new Upstream([text('a'), text('b')], true);
    const consume = async () => {
      for await (const _ of observeChat(gateway.metrics, {}, upstream.call)) throw new Error('full');
    };
    await expect(consume()).rejects.toThrow('full');
    expect(upstream.signal?.aborted).toBe(true);
    expect(await gateway.page()).toMatchObject({ [ended('abort')]: 1 });
  });

  it.each([
    ['while a chunk is awaited', true],
    ['between two chunks', false],
  ])('ends with the outer signal, %s', async (_, isAwaited) => {
    const gateway = new Gateway();
    const upstream = new Upstream([text('a')], true);
    const outer = new AbortController();
    const options = { signal: outer.signal };
    const iterator = observeChat(gateway.metrics, {}, upstream.call, options)[Symbol.asyncIterator]();
    await iterator.next();
    const next = isAwaited ? iterator.next() : undefined;
    next?.catch(() => {});
    outer.abort();
    expect(upstream.signal?.aborted).toBe(true);
    await expect(next ?? iterator.next()).rejects.toBe(outer.signal.reason);
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
    expect(await gateway.page()).toMatchObject({ [ended('abort')]: 1 });
  });

  it('of a signal that aborted before is an abort', async () => {
    const gateway = new Gateway();
    const options = { signal: AbortSignal.abort() };
    const chunks = observeChat(gateway.metrics, {}, new Upstream([], true).call, options);
    await expect(collect(chunks)).rejects.toBe(options.signal.reason);
    expect(await gateway.page()).toMatchObject({ [ended('abort')]: 1 });
  });

  it('leaves no listener on the outer signal', async () => {
    const outer = new AbortController();
    const added = vi.spyOn(outer.signal, 'addEventListener');
    const removed = vi.spyOn(outer.signal, 'removeEventListener');
    const upstream = new Upstream([text('a'), finish]);
    await collect(observeChat(new Gateway().metrics, {}, upstream.call, { signal: outer.signal }));
    expect(removed.mock.calls[0]?.[1]).toBe(added.mock.calls[0]?.[1]);
  });

  it.each<[string, () => unknown, RegExp]>([
    ['that rejects', () => Promise.reject(new Error('429')), /429/],
    [
      'that throws',
      () => {
        throw new Error('no');
      },
      /no/,
    ],
    [
      'without a stream',
      () => Promise.resolve({ choices: [] }),
      /observeChat: expected the call to give a stream/,
    ],
    ['of nothing', () => Promise.resolve(undefined), /observeChat: expected the call to give a stream/],
  ])('records a call %s as an error, and passes it on', async (_, call, message) => {
    const gateway = new Gateway();
    await expect(collect(observeChat(gateway.metrics, {}, call as Upstream['call']))).rejects.toThrow(
      message,
    );
    expect(await gateway.page()).toMatchObject({ [ended('error')]: 1 });
    expect(gateway.metrics.inFlight).toBe(0);
  });

  it('records a stream that breaks as an error', async () => {
    const gateway = new Gateway();
    const broken = async function* () {
      yield text('a');
      throw new Error('terminated');
    };
    await expect(collect(observeChat(gateway.metrics, {}, broken))).rejects.toThrow('terminated');
    expect(await gateway.page()).toMatchObject({ [ended('error')]: 1, generation_tokens_total: 1 });
  });

  it('names the upstream', async () => {
    const gateway = new Gateway();
    await collect(observeChat(gateway.metrics, {}, new Upstream([finish]).call, { engineIndex: 3 }));
    expect(gateway.metrics.forEngine(3).requestSuccess.stop.value).toBe(1);
  });
});

describe('chat$', () => {
  it('is one request a subscription', async () => {
    const gateway = new Gateway();
    const upstream = new Upstream([text('a'), finish]);
    const chunks = chat$(gateway.metrics, {}, upstream.call);
    expect(upstream.calls).toBe(0);
    await firstValueFrom(chunks.pipe(toArray()));
    await firstValueFrom(chunks.pipe(toArray()));
    expect(upstream.calls).toBe(2);
    expect(await gateway.page()).toMatchObject({ [ended('stop')]: 2 });
  });

  it('aborts at once when it is unsubscribed, though the upstream hangs', async () => {
    const gateway = new Gateway();
    const upstream = new Upstream([text('a')], true);
    const subscription = chat$(gateway.metrics, {}, upstream.call).subscribe();
    await turn();
    subscription.unsubscribe();
    expect(upstream.signal?.aborted).toBe(true);
    expect(await gateway.page()).toMatchObject({ [ended('abort')]: 1, generation_tokens_total: 1 });
  });

  it('hands on the error of the call', async () => {
    const error = new Error('429');
    const chunks = chat$(new Gateway().metrics, {}, () => Promise.reject(error));
    await expect(firstValueFrom(chunks)).rejects.toBe(error);
  });
});

describe('fromAsyncIterable', () => {
  it('does not wait for the next value of a generator', async () => {
    let signal: AbortSignal | undefined;
    const subscription = fromAsyncIterable((given) => {
      signal = given;
      return new Upstream([1], true).call(given);
    }).subscribe();
    await turn();
    subscription.unsubscribe();
    expect(signal?.aborted).toBe(true);
  });

  it('leaves an iterator that was left, and not one that ended', async () => {
    const left = new Upstream([1, 2, 3]);
    expect(await firstValueFrom(fromAsyncIterable(left.call))).toBe(1);
    await turn();
    expect(left.returned).toBe(true);
    const ends = new Upstream([1, 2]);
    expect(await firstValueFrom(fromAsyncIterable(ends.call).pipe(toArray()))).toEqual([1, 2]);
  });
});

describe('a body', () => {
  it.each<[string, unknown, object]>([
    ['of a chat', { messages: [], max_completion_tokens: 5, n: 2 }, { maxTokens: 5, n: 2 }],
    ['with the older name', { messages: [], max_tokens: 7 }, { maxTokens: 7 }],
    ['of a response', { input: 'x', max_output_tokens: 9 }, { maxTokens: 9 }],
    ['with token ids', { prompt: [1, 2, 3] }, { numPromptTokens: 3 }],
    ['with several prompts', { prompt: ['a', 'b'] }, {}],
    ['that is odd', { n: 0, max_tokens: 'x', prompt: [[1], [2]] }, {}],
    ['that is none', null, {}],
  ])('%s says so much of its request', (_, body, info) => {
    expect(requestInfoOf(body)).toEqual(info);
  });

  it('of a stream is made to ask for usage, and the client’s wish is known', () => {
    const asked = { stream: true, messages: [], stream_options: { include_usage: true } };
    expect(withUsage(asked)).toEqual({ body: asked, hideUsage: false });
    expect(withUsage({ stream: true, messages: [], stream_options: { x: 1 } })).toEqual({
      body: { stream: true, messages: [], stream_options: { x: 1, include_usage: true } },
      hideUsage: true,
    });
    for (const body of [{ messages: [] }, { stream: true, input: 'x' }, null, 'x'])
      expect(withUsage(body)).toEqual({ body, hideUsage: false });
  });
});
