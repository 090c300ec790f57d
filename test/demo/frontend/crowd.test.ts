/** Many clients at once, of every kind: what they saw and what the page counts agree, to the token. */
import { expect, it } from 'vitest';
import { checkIdentities } from '../../../src/demo/report/identities.js';
import { Page } from '../../../src/demo/report/page.js';
import type { FinishedRequestStats } from '../../../src/index.js';
import { SeededRandom } from '../../../src/simulator/random.js';
import { readSamples } from '../../../src/testing/index.js';
import { MODEL, type RunningFrontend, startFrontend } from './rig.js';

const NUM_CLIENTS = 60;

interface Seen {
  /** Completion tokens, by the usage of whole answers and the chunks of those that were left. */
  readonly numTokens: number;
  readonly reasons: readonly string[];
  readonly hasLeft: boolean;
}

interface Chunk {
  readonly choices: readonly { readonly finish_reason: string | null }[];
  readonly usage?: { readonly completion_tokens: number } | null;
}

/** Reads a stream to its end, or leaves it after so many chunks. */
async function readStream(response: Response, most: number): Promise<Seen> {
  let text = '';
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    if (text.split('\n\n').length > most) break;
  }
  const whole = text.slice(0, text.lastIndexOf('\n\n'));
  const data = whole.split('\n\n').map((event) => event.slice('data: '.length));
  const chunks = data.filter((line) => line !== '[DONE]').map((line) => JSON.parse(line) as Chunk);
  const reasons = chunks.flatMap(({ choices }) => choices.flatMap((choice) => choice.finish_reason ?? []));
  const usage = chunks.at(-1)?.usage?.completion_tokens;
  return { numTokens: usage ?? 0, reasons, hasLeft: usage === undefined };
}

async function beClient({ url }: RunningFrontend, random: SeededRandom, i: number): Promise<Seen> {
  const stream = random.chance(0.6);
  const body = {
    prompt: `Client ${i} asks`,
    max_tokens: random.upTo(40),
    n: random.upTo(3),
    ...(random.chance(0.3) && { stop: ['token', '. '] }),
    ...(stream && { stream, stream_options: { include_usage: true } }),
  };
  const most = stream && random.chance(0.3) ? random.upTo(20) : Infinity;
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${url}/v1/completions`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  if (stream) return readStream(response, most);
  const { usage, choices } = (await response.json()) as Required<Chunk>;
  const reasons = choices.map(({ finish_reason }) => finish_reason!);
  return { numTokens: usage!.completion_tokens, reasons, hasLeft: false };
}

it('holds for many clients at once, some of whom leave', async () => {
  const server = await startFrontend({ engines: 3, seed: 11 });
  const { metrics, registry, record } = server.frontend.serving;
  const finished: FinishedRequestStats[] = [];
  metrics.finishedRequests.subscribe((request) => finished.push(request));
  const random = new SeededRandom(3, 0);
  const seen = await Promise.all(Array.from({ length: NUM_CLIENTS }, (_, i) => beClient(server, random, i)));
  await server.close();

  const page = new Page(await readSamples(registry), MODEL);
  const aborted = finished.filter(({ finishReason }) => finishReason === 'abort');
  const left = seen.filter(({ hasLeft }) => hasLeft);
  const stayed = seen.filter(({ hasLeft }) => !hasLeft);
  expect(left.length).toBeGreaterThan(3);
  // Of a client that left, choices that had ended by then count as ended; the others are aborts.
  const ofStayed = new Set(stayed.flatMap(({ reasons }) => reasons));
  expect(ofStayed).toEqual(new Set(['stop', 'length']));
  expect(aborted.length).toBeGreaterThan(3);
  const total = finished.reduce((sum, { numGenerationTokens }) => sum + numGenerationTokens, 0);
  expect(page.sum('vllm:generation_tokens_total')).toBe(total);
  expect(page.sum('vllm:request_success_total')).toBe(finished.length);
  expect(checkIdentities(page, record.engines).filter(({ holds }) => !holds)).toEqual([]);
  expect(record.submitted).toBe(finished.length);
});

it('agrees to the token when all of them stay', async () => {
  const server = await startFrontend({ engines: 2 });
  const random = new SeededRandom(4, 0);
  const asks = Array.from({ length: NUM_CLIENTS }, (_, i) => {
    const body = { prompt: `Client ${i}`, max_tokens: random.upTo(40), n: random.upTo(3), stop: ['token'] };
    return server.ask('/v1/completions', body);
  });
  const answers = (await Promise.all(asks)).map(({ json }) => json as Required<Chunk>);
  const sum = answers.reduce((all, { usage }) => all + usage!.completion_tokens, 0);
  expect(await server.sum('vllm:generation_tokens_total')).toBe(sum);
  const reasons = answers.flatMap(({ choices }) => choices.map(({ finish_reason }) => finish_reason!));
  for (const reason of ['stop', 'length', 'abort', 'error']) {
    const count = reasons.filter((one) => one === reason).length;
    expect(await server.sum('vllm:request_success_total', { finished_reason: reason })).toBe(count);
  }
});
