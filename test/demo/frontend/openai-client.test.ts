/** The official client against the frontend: what it saw is what the page counts, to the token. */
import OpenAI from 'openai';
import { expect, it } from 'vitest';
import { eventually, MODEL, type RunningFrontend, startFrontend } from './rig.js';

function clientOf({ url }: RunningFrontend): OpenAI {
  return new OpenAI({ baseURL: `${url}/v1`, apiKey: 'none', maxRetries: 0 });
}

const MESSAGES = [{ role: 'user' as const, content: 'Tell me about schedulers, in short.' }];
const SUCCESS = 'vllm:request_success_total';

function words(text: string | null | undefined): number {
  return (text ?? '').split(' ').length;
}

it('answers a chat as a whole, with the tokens that the page counts', async () => {
  const server = await startFrontend();
  const answer = await clientOf(server).chat.completions.create({
    model: MODEL,
    messages: MESSAGES,
    max_tokens: 12,
  });
  const [choice] = answer.choices;
  expect(answer.object).toBe('chat.completion');
  expect(choice).toMatchObject({ index: 0, finish_reason: 'length', message: { role: 'assistant' } });
  expect(words(choice!.message.content)).toBe(12);
  expect(answer.usage?.completion_tokens).toBe(12);
  expect(await server.sum('vllm:generation_tokens_total')).toBe(12);
  expect(await server.sum('vllm:prompt_tokens_total')).toBe(answer.usage?.prompt_tokens);
  expect(await server.sum(SUCCESS, { finished_reason: 'length' })).toBe(1);
  expect(await server.sum(SUCCESS)).toBe(1);
});

it('streams the same chat in pieces, and its usage if asked for', async () => {
  const server = await startFrontend();
  const client = clientOf(server);
  const request = { model: MODEL, messages: MESSAGES, max_tokens: 12 };
  const whole = await client.chat.completions.create(request);
  const stream = await client.chat.completions.create({
    ...request,
    stream: true,
    stream_options: { include_usage: true },
  });
  let text = '';
  const reasons: (string | null)[] = [];
  const usages: (number | undefined)[] = [];
  let numPieces = 0;
  for await (const { choices, usage } of stream) {
    if (usage) usages.push(usage.completion_tokens);
    for (const { delta, finish_reason } of choices) {
      text += delta.content ?? '';
      if (delta.content) numPieces++;
      if (finish_reason !== null) reasons.push(finish_reason);
    }
  }
  expect(text).toBe(whole.choices[0]!.message.content);
  expect([numPieces, reasons, usages]).toEqual([12, ['length'], [12]]);
  expect(await server.sum('vllm:generation_tokens_total')).toBe(24);
  expect(await server.sum('vllm:time_to_first_token_seconds_count')).toBe(2);
});

it('ends by itself where no cap is met', async () => {
  const server = await startFrontend();
  const answer = await clientOf(server).chat.completions.create({ model: MODEL, messages: MESSAGES });
  expect(answer.choices[0]!.finish_reason).toBe('stop');
  const numTokens = answer.usage!.completion_tokens;
  expect(numTokens).toBeGreaterThanOrEqual(20);
  expect(words(answer.choices[0]!.message.content)).toBe(numTokens);
  expect(await server.sum('vllm:request_generation_tokens_sum')).toBe(numTokens);
}, 20_000);

it('gives each of n choices, of each of several prompts', async () => {
  const server = await startFrontend();
  const answer = await clientOf(server).completions.create({
    model: MODEL,
    prompt: ['one', 'two three'],
    max_tokens: 5,
    n: 2,
  });
  expect(answer.choices.map(({ index }) => index)).toEqual([0, 1, 2, 3]);
  expect(new Set(answer.choices.map(({ text }) => text)).size).toBe(4);
  expect(answer.usage).toMatchObject({ prompt_tokens: 3, completion_tokens: 20, total_tokens: 23 });
  expect(await server.sum('vllm:generation_tokens_total')).toBe(20);
  expect(await server.sum('vllm:prompt_tokens_total')).toBe(6); // each choice is a request to the engines
  expect(await server.sum('vllm:request_params_n_sum')).toBe(4); // and each prompt one of the client's
  expect(await server.sum('vllm:request_params_n_count')).toBe(2);
});

it('streams n choices side by side', async () => {
  const server = await startFrontend();
  const request = { model: MODEL, messages: MESSAGES, max_tokens: 6, n: 2 };
  const whole = await clientOf(server).chat.completions.create(request);
  const stream = await clientOf(server).chat.completions.create({ ...request, stream: true });
  const texts = ['', ''];
  for await (const { choices } of stream)
    for (const { index, delta } of choices) texts[index] += delta.content ?? '';
  expect(texts).toEqual(whole.choices.map(({ message }) => message.content));
});

it('cuts an answer before a stop string, and records a stop', async () => {
  const server = await startFrontend();
  const client = clientOf(server);
  const request = { model: MODEL, prompt: 'A long story', max_tokens: 20 };
  const whole = (await client.completions.create(request)).choices[0]!.text;
  const stop = whole.split(' ').slice(7, 9).join(' '); // over two tokens
  const before = whole.slice(0, whole.indexOf(stop));
  const generated = await server.sum('vllm:generation_tokens_total');
  const cut = await client.completions.create({ ...request, stop: ['never there', stop] });
  expect(cut.choices[0]).toMatchObject({ text: before, finish_reason: 'stop' });
  const numTokens = words(`${before}${stop}`);
  expect(cut.usage?.completion_tokens).toBe(numTokens);
  expect(await server.sum('vllm:generation_tokens_total')).toBe(generated + numTokens);
  expect(await server.sum(SUCCESS, { finished_reason: 'stop' })).toBe(1);
  const stream = await client.completions.create({ ...request, stop, stream: true });
  let text = '';
  for await (const { choices } of stream) for (const choice of choices) text += choice.text;
  expect(text).toBe(before);
  expect(await server.sum(SUCCESS, { finished_reason: 'stop' })).toBe(2);
  expect(await server.sum(SUCCESS, { finished_reason: 'abort' })).toBe(0);
});

it('records a client that leaves in mid-stream as an abort, and frees the engine', async () => {
  const server = await startFrontend();
  const stream = await clientOf(server).chat.completions.create({
    model: MODEL,
    messages: MESSAGES,
    stream: true,
    n: 2,
  });
  let numPieces = 0;
  for await (const { choices } of stream) {
    numPieces += choices.filter(({ delta }) => delta.content).length;
    if (numPieces >= 6) break;
  }
  await eventually(async () => (await server.sum(SUCCESS, { finished_reason: 'abort' })) === 2);
  expect(await server.sum('vllm:request_generation_tokens_sum')).toBeGreaterThanOrEqual(6);
  expect(await server.sum('vllm:generation_tokens_total')).toBe(
    await server.sum('vllm:request_generation_tokens_sum'),
  );
  await eventually(async () => (await server.sum('vllm:num_requests_running')) === 0);
  expect(server.frontend.serving.metrics.inFlight).toBe(0);
});

it('records a client that leaves before its whole answer as an abort', async () => {
  const server = await startFrontend();
  const leave = new AbortController();
  const body = { model: MODEL, messages: MESSAGES, max_tokens: 400 };
  const answer = clientOf(server).chat.completions.create(body, { signal: leave.signal });
  await eventually(async () => (await server.sum('vllm:generation_tokens_total')) > 0);
  leave.abort();
  await expect(answer).rejects.toThrow();
  await eventually(async () => (await server.sum(SUCCESS, { finished_reason: 'abort' })) === 1);
  expect(await server.sum(SUCCESS)).toBe(1);
});

it('lists its model', async () => {
  const client = clientOf(await startFrontend());
  expect((await client.models.list()).data.map(({ id }) => id)).toEqual([MODEL]);
  expect(await client.models.retrieve(MODEL)).toMatchObject({ id: MODEL, object: 'model' });
  await expect(client.models.retrieve('other')).rejects.toThrow(OpenAI.NotFoundError);
});

it('tells the time of a request that asks for it, from its own record', async () => {
  const server = await startFrontend();
  const body = { model: MODEL, prompt: 'How long?', max_tokens: 10 };
  const { json } = await server.ask('/v1/completions', { ...body, include_metrics: true });
  const { metrics } = json as { metrics: Record<string, number> };
  const seconds = (name: string) => server.sum(`vllm:${name}_seconds_sum`);
  expect(metrics['time_to_first_token_ms']).toBeCloseTo(1000 * (await seconds('request_prefill_time')), 6);
  expect(metrics['generation_time_ms']).toBeCloseTo(1000 * (await seconds('request_decode_time')), 6);
  expect(metrics['queue_time_ms']).toBeCloseTo(1000 * (await seconds('request_queue_time')), 6);
  expect(metrics['mean_itl_ms']).toBeCloseTo(metrics['generation_time_ms']! / 9, 6);
  expect(metrics['tokens_per_second']).toBeCloseTo(10 / (await seconds('request_inference_time')), 6);
  expect((await server.ask('/v1/completions', body)).json).not.toHaveProperty('metrics');
  const several = await server.ask('/v1/completions', { ...body, n: 2, include_metrics: true });
  expect(several.json).toMatchObject({ metrics: null });
});

it('tells the time of a stream with its usage', async () => {
  const server = await startFrontend();
  const body = { model: MODEL, prompt: 'p', max_tokens: 1, stream: true as const, include_metrics: true };
  const stream = await clientOf(server).completions.create({
    ...body,
    stream_options: { include_usage: true },
  });
  let last: unknown;
  for await (const chunk of stream) last = chunk;
  expect(last).toMatchObject({
    choices: [],
    usage: { completion_tokens: 1 },
    metrics: { mean_itl_ms: null },
  });
});
