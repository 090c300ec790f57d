/** What a client may get wrong: a clear 4xx, and nothing on the page. */
import { expect, it } from 'vitest';
import { MODEL, startFrontend } from './rig.js';

const CHAT = '/v1/chat/completions';
const COMPLETIONS = '/v1/completions';
const MESSAGES = [{ role: 'user', content: 'Hi' }];

it.each<[string, string, object, number, string, string | null]>([
  [
    'an unknown model',
    CHAT,
    { model: 'gpt', messages: MESSAGES },
    404,
    'The model "gpt" does not exist',
    'model',
  ],
  [
    'a model that is no text',
    CHAT,
    { model: 3, messages: MESSAGES },
    400,
    'model: expected a text, got "3"',
    'model',
  ],
  [
    'no messages',
    CHAT,
    {},
    400,
    'messages: expected a list of at least one message, got nothing',
    'messages',
  ],
  ['empty messages', CHAT, { messages: [] }, 400, 'messages: expected a list of at least one', 'messages'],
  ['messages of text', CHAT, { messages: ['Hi'] }, 400, 'messages: expected a list', 'messages'],
  [
    'a message without a role',
    CHAT,
    { messages: [{ content: 'Hi' }] },
    400,
    'messages[0].role: expected a text, got nothing',
    'messages[0].role',
  ],
  [
    'an image',
    CHAT,
    { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:,' } }] }] },
    400,
    'messages[0].content: expected a text or a list of text parts',
    'messages[0].content',
  ],
  ['no prompt', COMPLETIONS, {}, 400, 'prompt: expected a text, a list of texts or of token ids', 'prompt'],
  ['an empty prompt', COMPLETIONS, { prompt: '' }, 400, 'prompt: expected', 'prompt'],
  ['mixed prompts', COMPLETIONS, { prompt: ['a', [1]] }, 400, 'prompt: expected', 'prompt'],
  ['a token id that is none', COMPLETIONS, { prompt: [1, -1] }, 400, 'prompt: expected', 'prompt'],
  [
    'max_tokens in words',
    COMPLETIONS,
    { prompt: 'a', max_tokens: '9' },
    400,
    'max_tokens: expected a whole',
    'max_tokens',
  ],
  [
    'no tokens',
    COMPLETIONS,
    { prompt: 'a', max_tokens: 0 },
    400,
    'max_tokens: expected a whole',
    'max_tokens',
  ],
  [
    'n of 0',
    COMPLETIONS,
    { prompt: 'a', n: 0 },
    400,
    'n: expected a whole number from 1 to 128, got "0"',
    'n',
  ],
  ['n of 1.5', COMPLETIONS, { prompt: 'a', n: 1.5 }, 400, 'n: expected a whole number', 'n'],
  ['an empty stop', COMPLETIONS, { prompt: 'a', stop: '' }, 400, 'stop: expected a text or up to 16', 'stop'],
  [
    'a stop of numbers',
    COMPLETIONS,
    { prompt: 'a', stop: [1] },
    400,
    'stop: expected a text or up to 16',
    'stop',
  ],
  [
    'stream in words',
    COMPLETIONS,
    { prompt: 'a', stream: 'yes' },
    400,
    'stream: expected true or false',
    'stream',
  ],
  [
    'stream options without a stream',
    COMPLETIONS,
    { prompt: 'a', stream_options: { include_usage: true } },
    400,
    'stream_options: expected none without stream: true',
    'stream_options',
  ],
  [
    'heat',
    COMPLETIONS,
    { prompt: 'a', temperature: 9 },
    400,
    'temperature: expected a number',
    'temperature',
  ],
  [
    'too long a prompt',
    COMPLETIONS,
    { prompt: Array.from({ length: 16_384 }, () => 1) },
    400,
    'The model has room for 16384 tokens, the request has 16384 of prompt and 16 tokens of answer',
    null,
  ],
  [
    'too long a chat',
    CHAT,
    { messages: [{ role: 'user', content: 'a '.repeat(17_000) }] },
    400,
    'The model has room for 16384 tokens',
    null,
  ],
  [
    'too much to answer',
    COMPLETIONS,
    { prompt: 'a', max_tokens: 16_384 },
    400,
    'The model has room for',
    null,
  ],
])('refuses %s', async (_case, path, body, status, message, param) => {
  const server = await startFrontend();
  const answer = await server.ask(path, body);
  expect(answer.status).toBe(status);
  const { error } = answer.json as { error: { message: string; type: string; param: unknown } };
  expect(error.message).toContain(message);
  expect(error.param).toBe(param);
  expect(error.type).toBe(status === 404 ? 'not_found_error' : 'invalid_request_error');
  await expectNothingRecorded(server);
});

async function expectNothingRecorded(server: Awaited<ReturnType<typeof startFrontend>>): Promise<void> {
  expect(await server.sum('vllm:request_success_total')).toBe(0);
  expect(await server.sum('vllm:prompt_tokens_total')).toBe(0);
  expect(server.frontend.serving.metrics.inFlight).toBe(0);
  expect(server.frontend.serving.fleet.numWaiting).toBe(0);
}

it.each<[string, string, string, number, string]>([
  ['broken JSON', '{"prompt":', 'application/json', 400, 'body: expected JSON, got'],
  ['no body', '', 'application/json', 400, 'body: expected JSON'],
  ['a list', '[1]', 'application/json', 400, 'body: expected a JSON object'],
  ['a form', 'prompt=a', 'application/x-www-form-urlencoded', 415, 'content-type: expected application/json'],
  [
    'a body without an end',
    `{"prompt":"${'a'.repeat(3_000_000)}"}`,
    'application/json',
    413,
    'body: expected at most',
  ],
])('refuses %s', async (_case, body, type, status, message) => {
  const server = await startFrontend();
  for (const path of [COMPLETIONS, CHAT, '/api/load', '/api/engines']) {
    const response = await fetch(server.url + path, {
      method: 'POST',
      headers: { 'content-type': type },
      body,
    });
    expect(response.status).toBe(status);
    expect(((await response.json()) as { error: { message: string } }).error.message).toContain(message);
  }
  await expectNothingRecorded(server);
  expect(server.frontend.serving.fleet.indexes).toEqual([0, 1]);
});

it('takes null for absent, and the one model where none is named', async () => {
  const server = await startFrontend();
  const body = { prompt: [1, 2, 3], max_tokens: 2, n: null, stop: null, stream: null, seed: null };
  const { status, json } = await server.ask(COMPLETIONS, body);
  expect(status).toBe(200);
  expect(json).toMatchObject({ model: MODEL, usage: { prompt_tokens: 3, completion_tokens: 2 } });
});

it('answers the same prompt with the same text, another seed with another', async () => {
  const server = await startFrontend();
  const textOf = async (body: object) => {
    const { json } = await server.ask(COMPLETIONS, { prompt: 'Once', max_tokens: 6, ...body });
    return (json as { choices: { text: string }[] }).choices[0]!.text;
  };
  const text = await textOf({});
  expect(await textOf({})).toBe(text);
  expect(await textOf({ seed: 7 })).not.toBe(text);
  expect(await textOf({ prompt: 'Twice' })).not.toBe(text);
});

it('finds the prefix of an earlier prompt in the cache', async () => {
  const server = await startFrontend({ engines: 1 });
  const prompt = 'a b c d e f g h i j k l m n o p q r s t u v w x y z'.repeat(2);
  await server.ask(COMPLETIONS, { prompt, max_tokens: 1 });
  expect(await server.sum('vllm:prefix_cache_hits_total')).toBe(0);
  await server.ask(COMPLETIONS, { prompt: `${prompt} and more`, max_tokens: 1 });
  expect(await server.sum('vllm:prefix_cache_hits_total')).toBe(48); // three blocks of 16 of 52 tokens
});

it('turns requests away with 429 once too many wait, and counts them as that alone', async () => {
  const server = await startFrontend({ engines: 1, maxQueue: 2 });
  const body = { prompt: 'a', max_tokens: 2 };
  const three = await server.ask(COMPLETIONS, { ...body, n: 3 });
  expect(three.status).toBe(429);
  expect(three.json).toMatchObject({ error: { type: 'rate_limit_error', code: 'queue_full' } });
  await expectNothingRecorded(server);
  const reason = { reason: 'max_num_queued_reqs' };
  expect(await server.sum('vllm:admission_rejections_total', reason)).toBe(1);
  expect((await server.ask(COMPLETIONS, { ...body, n: 2 })).status).toBe(200);
  expect(await server.sum('vllm:admission_rejections_total', reason)).toBe(1);
});
