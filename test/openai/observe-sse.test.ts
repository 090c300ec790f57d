import { describe, expect, it } from 'vitest';
import { observeCompletion, observeSse } from '../../src/openai/index.js';
import { captureNamed } from './captures.js';
import { Gateway } from './gateway.js';
import { passThrough, play } from './observe.js';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const event = (json: unknown): string => `data: ${JSON.stringify(json)}\n\n`;
const text = (content: string, index = 0): string => event({ choices: [{ index, delta: { content } }] });
const finish = (reason: string, index = 0): string =>
  event({ choices: [{ index, delta: {}, finish_reason: reason }] });
const usage = (prompt: number, completion: number): string =>
  event({ choices: [], usage: { prompt_tokens: prompt, completion_tokens: completion } });
const DONE = 'data: [DONE]\n\n';

/** The page of one answer that came in these reads. */
async function pageOf(reads: readonly string[], leaves = false, info = {}): Promise<Record<string, number>> {
  const gateway = new Gateway();
  await passThrough(observeSse(gateway.start(info)), reads.map(encode), leaves);
  return { ...(await gateway.page()), diagnostics: gateway.diagnostics.length };
}

const ended = (reason: string) => `request_success_total{finished_reason="${reason}"}`;

describe('the finish reason', () => {
  it.each<[string, readonly string[], boolean, string]>([
    ['is held until usage comes', [text('a'), finish('length'), usage(3, 1)], true, 'length'],
    ['stands if the client leaves after it', [text('a'), finish('stop')], true, 'stop'],
    ['is abort if the client leaves before it', [text('a')], true, 'abort'],
    ['of tool calls is stop', [text('a'), finish('tool_calls'), DONE], false, 'stop'],
    ['of a function call is stop', [finish('function_call'), DONE], false, 'stop'],
    ['of a content filter is stop', [finish('content_filter'), DONE], false, 'stop'],
    ['that nobody knows is error', [finish('bored'), DONE], false, 'error'],
    ['that is forgotten is stop at [DONE]', [text('a'), DONE], false, 'stop'],
    ['is error where the bytes just end', [text('a')], false, 'error'],
    [
      'is error after an error event, whatever follows',
      [event({ error: 'x' }), finish('stop'), DONE],
      false,
      'error',
    ],
    ['is error after an event named so', ['event: error\ndata: {}\n\n', DONE], false, 'error'],
    [
      'is not touched by an error that is null',
      [event({ error: null, choices: [] }), finish('stop')],
      false,
      'stop',
    ],
    ['of a JSON error in the place of a stream', ['{"error":{"message":"no"}}'], false, 'error'],
    [
      'of a JSON answer in the place of a stream',
      ['{"choices":[{"index":0,"finish_reason":"length"}]}'],
      false,
      'length',
    ],
  ])('%s', async (_, reads, leaves, reason) => {
    const page = await pageOf(reads, leaves);
    expect(page[ended(reason)]).toBe(1);
    expect(page['e2e_request_latency_seconds_count']).toBe(1);
  });

  it('may be told by the host', async () => {
    const gateway = new Gateway();
    const stream = observeSse(gateway.start(), { finishReasons: { content_filter: 'error', bored: 'stop' } });
    await passThrough(stream, [encode(finish('content_filter') + DONE)]);
    expect(await gateway.page()).toMatchObject({ [ended('error')]: 1 });
  });
});

describe('tokens', () => {
  const noted = (count: number, more: object = {}) => ({ generation_tokens_total: count, ...more });
  const one = (choice: object, more: object = {}) => event({ choices: [{ index: 0, ...choice }], ...more });
  it.each<[string, readonly string[], object]>([
    ['are one for each delta that holds something', [text('a'), text(''), text('bc'), DONE], noted(2)],
    [
      'are reasoning too',
      [one({ delta: { reasoning_content: 'h' } }), one({ delta: { reasoning: 'm' } }), DONE],
      noted(2),
    ],
    [
      'are tool calls and refusals',
      [one({ delta: { tool_calls: [{ index: 0 }] } }), one({ delta: { refusal: 'no' } }), DONE],
      noted(2),
    ],
    [
      'are the ids of an event',
      [one({ delta: { content: 'x' }, token_ids: [1, 2, 3] }), DONE],
      noted(3, { 'rx_engine_metrics_token_counts_total{source="token_ids"}': 1 }),
    ],
    ['are its logprobs', [one({ delta: { content: 'x' }, logprobs: { content: [{}, {}] } }), DONE], noted(2)],
    [
      'are what usage says in the end',
      [text('a'), finish('stop'), usage(7, 9), DONE],
      noted(9, { prompt_tokens_total: 7, inter_token_latency_seconds_count: undefined }),
    ],
    [
      'are the growth of a usage on each event',
      [
        one({ delta: { content: 'x' } }, { usage: { prompt_tokens: 2, completion_tokens: 4 } }),
        one({ delta: { content: 'y' } }, { usage: { prompt_tokens: 2, completion_tokens: 6 } }),
        DONE,
      ],
      noted(6, { inter_token_latency_seconds_count: 1 }),
    ],
    ['are not changed by usage of zeros', [text('a'), finish('stop'), usage(0, 0), DONE], noted(1)],
    [
      'are not changed by usage that is no count',
      [
        text('a'),
        finish('stop'),
        event({ choices: [], usage: { prompt_tokens: -3, completion_tokens: 'x' } }),
        DONE,
      ],
      noted(1),
    ],
    [
      'are told apart by choice',
      [text('a', 1), text('b', 0), text('c', 1), finish('stop', 0), finish('stop', 1), usage(4, 5), DONE],
      noted(5, { [ended('stop')]: 2 }),
    ],
    [
      'without text are placed at the opening event',
      [one({ delta: { role: 'assistant', content: '' } }), finish('stop'), usage(3, 6)],
      noted(6, { time_to_first_token_seconds_count: 1, inter_token_latency_seconds_count: undefined }),
    ],
    [
      'of a completion',
      [
        event({ choices: [{ index: 0, text: 'a' }] }),
        event({ choices: [{ index: 0, text: '', finish_reason: 'stop' }] }),
        DONE,
      ],
      noted(1),
    ],
    [
      'of the Responses API',
      [
        event({ type: 'response.created', response: {} }),
        event({ type: 'response.output_text.delta', delta: 'a' }),
        event({
          type: 'response.completed',
          response: { status: 'completed', usage: { input_tokens: 5, output_tokens: 3 } },
        }),
      ],
      noted(3, { prompt_tokens_total: 5, [ended('stop')]: 1 }),
    ],
    [
      'of a response that was cut',
      [
        event({
          type: 'response.completed',
          response: { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } },
        }),
      ],
      { [ended('length')]: 1 },
    ],
  ])('%s', async (_, reads, expected) => {
    for (const split of [[reads.join('')], reads]) {
      const page = await pageOf(split);
      const asked = Object.fromEntries(Object.keys(expected).map((name) => [name, page[name]]));
      expect(asked).toEqual(expected);
    }
  });

  it('of one read have one time', async () => {
    const gateway = new Gateway();
    let now = 0;
    const stream = observeSse(gateway.start());
    gateway.nowMs = 0;
    Object.defineProperty(gateway, 'nowMs', { get: () => (now += 5) });
    await passThrough(stream, [encode(text('a') + text('b') + text('c') + DONE)]);
    expect(await gateway.page()).toMatchObject({ inter_token_latency_seconds_count: 2 });
    expect((await gateway.page())['inter_token_latency_seconds_sum']).toBeUndefined();
  });
});

describe('nothing breaks', () => {
  it.each<[string, string]>([
    ['null', 'data: null\n\n'],
    ['a number', 'data: 4\n\n'],
    ['what is no JSON', 'data: {"choices\n\n'],
    [
      'choices that are none',
      event({ choices: [null, 4, { index: -1 }, { index: 1e9 }, { index: 'x', delta: 4 }] }),
    ],
    ['an unknown event', event({ type: 'ping', choices: 'x' })],
    ['a key of the prototype', 'data: {"__proto__":{"choices":[]},"constructor":4}\n\n'],
    ['a comment', ': OPENROUTER PROCESSING\n\n'],
  ])('at %s', async (_, hostile) => {
    const page = await pageOf([text('a'), hostile, text('b'), finish('stop'), DONE]);
    expect(page).toMatchObject({ generation_tokens_total: 2, [ended('stop')]: 1 });
  });

  it('at an event above 1 MiB, which passes unread', async () => {
    const gateway = new Gateway();
    const reads = [text('a'), text('x'.repeat(1_100_000)), text('b'), finish('stop') + DONE].map(encode);
    const out = await passThrough(observeSse(gateway.start()), reads);
    expect(Buffer.compare(out, Buffer.concat(reads))).toBe(0);
    expect(await gateway.page()).toMatchObject({ generation_tokens_total: 2, [ended('stop')]: 1 });
    expect(gateway.diagnostics).toMatchObject([{ source: 'events.data' }]);
  });

  it('at what is no bytes, which passes', async () => {
    const stream = observeSse(new Gateway().start());
    const writer = stream.writable.getWriter();
    const reader = stream.readable.getReader();
    void writer.write('text' as unknown as Uint8Array);
    expect((await reader.read()).value).toBe('text');
    await reader.cancel();
  });
});

describe('the stream', () => {
  it('hands a read on at once, event or not, as the bytes that came', async () => {
    const stream = observeSse(new Gateway().start());
    const writer = stream.writable.getWriter();
    const reader = stream.readable.getReader();
    const half = encode('data: {"cho');
    void writer.write(half);
    expect((await reader.read()).value).toBe(half);
    await reader.cancel();
  });

  it('lets the upstream wait for a slow client', async () => {
    const stream = observeSse(new Gateway().start());
    const writer = stream.writable.getWriter();
    let written = 0;
    for (let i = 0; i < 20; i++) void writer.write(encode(text('a'))).then(() => written++);
    for (let i = 0; i < 50; i++) await Promise.resolve();
    expect(written).toBeLessThan(3);
    const reader = stream.readable.getReader();
    for (let i = 0; i < 20; i++) await reader.read();
    await Promise.resolve();
    expect(written).toBeGreaterThan(18);
    await reader.cancel();
  });

  it('takes a cancel to the upstream, and records an abort', async () => {
    const gateway = new Gateway();
    let cancelled: unknown;
    const upstream = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(encode(text('a'))),
      cancel: (reason) => {
        cancelled = reason;
      },
    });
    const reader = upstream.pipeThrough(observeSse(gateway.start())).getReader();
    await reader.read();
    await reader.cancel('gone');
    await new Promise((resolve) => setImmediate(resolve));
    expect(cancelled).toBe('gone');
    expect(await gateway.page()).toMatchObject({ [ended('abort')]: 1 });
  });

  it.each<[string, Error, string]>([
    ['error', new TypeError('terminated'), 'error'],
    ['abort', new DOMException('gone', 'AbortError'), 'abort'],
  ])('of an upstream that broke records an %s and breaks', async (_, reason, expected) => {
    const gateway = new Gateway();
    const upstream = new ReadableStream<Uint8Array>({ start: (controller) => controller.error(reason) });
    const reader = upstream.pipeThrough(observeSse(gateway.start())).getReader();
    await expect(reader.read()).rejects.toBe(reason);
    expect(await gateway.page()).toMatchObject({ [ended(expected)]: 1 });
  });
});

describe('hideUsage', () => {
  const client = captureNamed('vllm', 'chat-stream-usage');
  it('takes out the event that only says the usage, and nothing else', async () => {
    const text = Buffer.from(client.bytes).toString();
    const events = text.split(/(?<=\n\n)/);
    const without = events.filter((each) => !each.includes('"choices":[],"usage"')).join('');
    expect(without.length).toBeLessThan(text.length);
    for (const size of [1, 37, 1000, 1e6]) {
      const reads: Uint8Array[] = [];
      for (let at = 0; at < client.bytes.length; at += size) reads.push(client.bytes.subarray(at, at + size));
      const { out, gateway } = await play(client, reads, { hideUsage: true });
      expect(Buffer.from(out).toString()).toBe(without);
      expect(await gateway.page()).toMatchObject({ prompt_tokens_total: 25, generation_tokens_total: 40 });
    }
  });

  it('knows LiteLLM’s spelling of it', async () => {
    const { out } = await play(captureNamed('litellm', 'mock-chat-stream-usage'), undefined, {
      hideUsage: true,
    });
    expect(Buffer.from(out).toString()).not.toContain('"usage"');
    expect(Buffer.from(out).toString()).toContain('data: [DONE]');
  });

  it('leaves usage on events that say more', async () => {
    const { out } = await play(captureNamed('vllm', 'chat-stream-continuous-usage'), undefined, {
      hideUsage: true,
    });
    expect(Buffer.from(out).toString().split('"usage"').length - 1).toBe(40);
  });
});

describe('observeCompletion', () => {
  it.each<[string, unknown, object]>([
    [
      'a chat',
      {
        choices: [{ index: 0, finish_reason: 'tool_calls' }],
        usage: { prompt_tokens: 3, completion_tokens: 2 },
      },
      { [ended('stop')]: 1, prompt_tokens_total: 3, generation_tokens_total: 2 },
    ],
    ['an error', { error: 'Unauthorized' }, { [ended('error')]: 1 }],
    [
      'embeddings',
      { data: [], usage: { prompt_tokens: 4, completion_tokens: 0 } },
      { [ended('stop')]: 1, prompt_tokens_total: 4 },
    ],
    ['no object', 'x', { [ended('error')]: 1 }],
  ])('records %s, without a sample of a time that nobody saw', async (_, json, expected) => {
    const gateway = new Gateway();
    observeCompletion(gateway.start(), json);
    const page = await gateway.page();
    expect(page).toMatchObject(expected);
    expect(
      Object.keys(page).filter((name) => /first_token|inter_token|per_output|decode/.test(name)),
    ).toEqual([]);
  });
});
