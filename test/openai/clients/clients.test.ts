/** Real clients, a Hono proxy of ours, an OpenAI-compatible server in a process of its own: the page is what it did. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { type ServerType, serve } from '@hono/node-server';
import { streamText } from 'ai';
import { Hono } from 'hono';
import OpenAI from 'openai';
import { Registry } from 'prom-client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ServingMetrics } from '../../../src/index.js';
import { observeFetch, requestInfoOf, withUsage } from '../../../src/openai/index.js';
import { readSamples } from '../../../src/testing/index.js';

interface Counts {
  readonly prompt: number;
  readonly tokens: number;
  readonly reasons: Readonly<Record<string, number>>;
  readonly abortedMs: readonly number[];
}

let upstream: ChildProcess;
let proxy: ServerType;
let registry: Registry;
let baseURL: string;
let client: OpenAI;

beforeEach(async () => {
  upstream = fork(new URL('upstream.mjs', import.meta.url).pathname);
  const [{ port }] = (await once(upstream, 'message')) as [{ port: number }];
  registry = new Registry();
  const metrics = new ServingMetrics({ registry, modelName: 'm', profile: 'gateway' });
  const app = new Hono();
  app.post('/v1/chat/completions', async (c) => {
    const { body, hideUsage } = withUsage(await c.req.json());
    const handle = metrics.startRequest(requestInfoOf(body));
    const url = `http://127.0.0.1:${port}/v1/chat/completions`;
    const call = (signal: AbortSignal) => fetch(url, { method: 'POST', body: JSON.stringify(body), signal });
    return observeFetch(handle, call, { signal: c.req.raw.signal, hideUsage });
  });
  proxy = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' });
  await once(proxy, 'listening');
  const address = proxy.address() as { port: number };
  baseURL = `http://127.0.0.1:${address.port}/v1`;
  client = new OpenAI({ baseURL, apiKey: 'x', maxRetries: 0 });
});

afterEach(async () => {
  upstream.kill();
  proxy.close();
  await once(upstream, 'exit');
});

async function counts(): Promise<Counts> {
  upstream.send('counts');
  const [answer] = (await once(upstream, 'message')) as [{ counts: Counts }];
  return answer.counts;
}

/** Our page in the upstream's terms, once nothing is in flight. */
async function page(): Promise<Omit<Counts, 'abortedMs'>> {
  const name = (family: string, more = '') => `${family}{engine="0",${more}model_name="m"}`;
  await vi.waitFor(async () => {
    expect((await readSamples(registry)).get(name('rx_engine_metrics_requests_in_flight'))).toBe(0);
  });
  const samples = await readSamples(registry);
  const reasons: Record<string, number> = {};
  for (const reason of ['stop', 'length', 'error', 'abort']) {
    const count = samples.get(name('vllm:request_success_total', `finished_reason="${reason}",`)) ?? 0;
    if (count > 0) reasons[reason] = count;
  }
  const of = (family: string) => samples.get(name(family)) ?? 0;
  return { prompt: of('vllm:prompt_tokens_total'), tokens: of('vllm:generation_tokens_total'), reasons };
}

async function expectSame(): Promise<void> {
  const { prompt, tokens, reasons } = await counts();
  expect(await page()).toEqual({ prompt, tokens, reasons });
}

const messages = [{ role: 'user' as const, content: 'Hi' }];

async function streamed(model: string, more: object = {}): Promise<OpenAI.ChatCompletionChunk[]> {
  const chunks: OpenAI.ChatCompletionChunk[] = [];
  const body = { model, messages, stream: true as const, ...more };
  for await (const chunk of await client.chat.completions.create(body)) chunks.push(chunk);
  return chunks;
}

it.each<[string, string, object]>([
  ['a plain stream', 'plain', {}],
  ['a stream cut by length', 'cut', { max_tokens: 2 }],
  ['a tool call', 'tool', {}],
  ['two choices', 'plain', { n: 2 }],
])('openai: %s', async (_, model, more) => {
  const chunks = await streamed(model, more);
  expect(chunks.at(-1)?.choices[0]?.finish_reason).toBeTruthy(); // the usage nobody asked for is hidden
  await expectSame();
});

it('openai: a client that asks for usage gets it', async () => {
  const chunks = await streamed('plain', { stream_options: { include_usage: true } });
  expect(chunks.at(-1)?.usage).toMatchObject({ prompt_tokens: 11, completion_tokens: 5 });
  await expectSame();
});

it('openai: an answer that does not stream', async () => {
  const answer = await client.chat.completions.create({ model: 'plain', messages });
  expect(answer.choices[0]?.message.content).toBe('The quick brown fox');
  await expectSame();
});

it('openai: a 429', async () => {
  await expect(streamed('429')).rejects.toMatchObject({ status: 429 });
  await expectSame();
});

it('openai: an error in the stream', async () => {
  await expect(streamed('broken')).rejects.toThrow('engine died');
  await expectSame();
});

it.each(['hang', 'hang-before-headers'])(
  'openai: a client leaves an upstream that hangs: %s',
  async (model) => {
    const leave = new AbortController();
    const body = { model, messages, stream: true as const };
    const asked = client.chat.completions.create(body, { signal: leave.signal });
    const read = asked.then(async (chunks) => {
      for await (const _ of chunks) expect.fail('nothing comes');
    });
    read.catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 100));
    const leftMs = Date.now();
    leave.abort();
    await vi.waitFor(async () => expect((await counts()).abortedMs).toHaveLength(1));
    expect((await counts()).abortedMs[0]! - leftMs).toBeLessThan(100);
    await expectSame();
  },
);

it('openai: a client that leaves in mid-stream', async () => {
  let seen = 0;
  const chunks = await client.chat.completions.create({ model: 'long', messages, stream: true });
  for await (const chunk of chunks) if (chunk.choices[0]?.delta.content && ++seen === 10) break;
  await vi.waitFor(async () => expect((await counts()).abortedMs).toHaveLength(1));
  const [ours, theirs] = [await page(), await counts()];
  expect(ours.reasons).toEqual({ abort: 1 });
  expect(ours.tokens).toBeGreaterThanOrEqual(10);
  expect(ours.tokens).toBeLessThanOrEqual(theirs.tokens); // some may still have been under way
});

it.each(['plain', 'tool'])('the AI SDK: %s', async (model) => {
  const provider = createOpenAICompatible({ name: 'ours', baseURL, includeUsage: true });
  const result = streamText({ model: provider(model), prompt: 'Hi', maxRetries: 0 });
  await result.consumeStream();
  expect((await result.usage).outputTokens).toBe(model === 'tool' ? 4 : 5);
  await expectSame();
});
