/** The AI SDK's OpenAI-compatible provider against the frontend. */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, streamText } from 'ai';
import { expect, it } from 'vitest';
import { eventually, MODEL, type RunningFrontend, startFrontend } from './rig.js';

function modelOf({ url }: RunningFrontend) {
  return createOpenAICompatible({ name: 'demo', baseURL: `${url}/v1`, includeUsage: true }).chatModel(MODEL);
}

const SUCCESS = 'vllm:request_success_total';

it('generates a text, with the tokens that the page counts', async () => {
  const server = await startFrontend();
  const answer = await generateText({ model: modelOf(server), prompt: 'Hello', maxOutputTokens: 8 });
  expect(answer.text.split(' ')).toHaveLength(8);
  expect(answer.finishReason).toBe('length');
  expect(answer.usage).toMatchObject({ outputTokens: 8 });
  expect(await server.sum('vllm:generation_tokens_total')).toBe(8);
  expect(await server.sum('vllm:prompt_tokens_total')).toBe(answer.usage.inputTokens);
});

it('streams a text', async () => {
  const server = await startFrontend();
  const { textStream, finishReason, usage } = streamText({
    model: modelOf(server),
    prompt: 'Hello',
    maxOutputTokens: 8,
  });
  const pieces: string[] = [];
  for await (const piece of textStream) pieces.push(piece);
  expect(pieces).toHaveLength(8);
  expect(await finishReason).toBe('length');
  expect((await usage).outputTokens).toBe(8);
  expect(await server.sum(SUCCESS, { finished_reason: 'length' })).toBe(1);
});

it('stops at a stop string', async () => {
  const server = await startFrontend();
  const model = modelOf(server);
  const { text } = await generateText({ model, prompt: 'Hello', maxOutputTokens: 12 });
  const stop = text.split(' ')[5]!;
  const cut = await generateText({ model, prompt: 'Hello', maxOutputTokens: 12, stopSequences: [stop] });
  expect(cut.text).toBe(text.slice(0, text.indexOf(stop)));
  expect(cut.finishReason).toBe('stop');
  expect(await server.sum(SUCCESS, { finished_reason: 'stop' })).toBe(1);
});

it('leaves in mid-stream, which is one abort', async () => {
  const server = await startFrontend();
  const leave = new AbortController();
  const { textStream } = streamText({
    model: modelOf(server),
    prompt: 'Hello',
    maxOutputTokens: 400,
    abortSignal: leave.signal,
    onError: () => {},
  });
  let numPieces = 0;
  for await (const _ of textStream) if (++numPieces === 3) leave.abort();
  await eventually(async () => (await server.sum(SUCCESS, { finished_reason: 'abort' })) === 1);
  expect(await server.sum('vllm:request_generation_tokens_sum')).toBeGreaterThanOrEqual(3);
  expect(await server.sum(SUCCESS)).toBe(1);
});
