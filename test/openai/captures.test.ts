/** Answers of real servers through `observeSse`: the page says what the server's own page said. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AnswerObserver } from '../../src/openai/answer/answer-observer.js';
import { AnswerBytes } from '../../src/openai/sse/answer-bytes.js';
import { CAPTURES, type Capture } from './captures.js';
import { NotedHandle } from './noted-handle.js';
import { play } from './observe.js';

type Page = Readonly<Record<string, number>>;

/** Facts that the bytes cannot give, and why. Each stands with what we say instead. */
const DIFFERENT: Readonly<
  Record<string, { readonly tokens?: number; readonly prompt?: number; readonly why: string }>
> = {
  'litellm/mock-chat-stream-usage': {
    tokens: 21,
    why: '21 pieces of characters came live, usage says 18: counters never go back',
  },
  'litellm/vllm-chat-stream-n2': { prompt: 36, why: 'the prompt counts once a choice, as in vLLM' },
  'llama.cpp-more/completion-stream-two-prompts': {
    prompt: 9,
    why: 'the fact is the last usage; two prompts have 6 and 3 tokens',
  },
  'llama.cpp-more/native-completion-stream': { tokens: 0, prompt: 0, why: "llama.cpp's own protocol" },
  'llama.cpp-more/anthropic-messages-stream': { tokens: 0, prompt: 0, why: "Anthropic's protocol" },
  'llama.cpp/chat-stream-n2': { prompt: 50, why: 'the prompt counts once a choice, as in vLLM' },
  'llama.cpp/chat-n2': { tokens: 13, prompt: 50, why: 'not streamed, usage has the first choice only' },
  'llama.cpp/chat-stream-abort': {
    tokens: 14,
    prompt: 0,
    why: 'the server made one more, and no usage came',
  },
  'vllm-more/interval-chat-stream-n2': { prompt: 50, why: 'the prompt counts once a choice' },
  'vllm-more/default-chat-stream': {
    tokens: 39,
    prompt: 0,
    why: 'no usage was asked: the end of sequence has no text',
  },
  'vllm/chat-stream-plain': { tokens: 39, prompt: 0, why: 'no usage was asked' },
  'vllm/completion-stream': { tokens: 52, prompt: 0, why: 'no usage was asked' },
  'vllm/chat-stream-n2': { prompt: 50, why: 'the prompt counts once a choice' },
  'vllm/chat-stream-n3-continuous': { prompt: 78, why: 'the prompt counts once a choice' },
  'vllm/chat-n2': { prompt: 50, why: 'the prompt counts once a choice' },
  'vllm/completion-stream-two-prompts-n2': { prompt: 18, why: 'each prompt counts once a choice' },
  'vllm/chat-stream-abort': { prompt: 0, why: 'the usage would have come after the abort' },
  'vllm/chat-stream-abort-at-role': {
    tokens: 0,
    prompt: 0,
    why: 'the role event came with the first token, the client left at it',
  },
};

/** Reasons in `facts` are the server's words; the Responses API has none there, so its status stands here. */
const REASONS: Readonly<Record<string, string>> = {
  tool_calls: 'stop',
  'vllm-more/responses-stream': 'length',
  'vllm-more/responses-stream-cut': 'length',
  'vllm-more/responses': 'length',
  'vllm-more/reasoning-responses-stream': 'length',
  'vllm-more/reasoning-responses': 'length',
};

function reasonsOf(page: Page): Page {
  const found = Object.entries(page).flatMap(([name, value]) => {
    const reason = /^request_success_total\{finished_reason="(\w+)"\}$/.exec(name)?.[1];
    return reason === undefined ? [] : [[reason, value] as const];
  });
  return Object.fromEntries(found);
}

function expectedReasons({ server, name, status, facts, bytes }: Capture): Page {
  const id = `${server}/${name}`;
  if (facts.end !== 'complete') return { abort: 1 };
  if (status >= 400 || Buffer.from(bytes).includes('data: {"error"')) return { error: 1 };
  if (id === 'litellm/vllm-chat-stream-n2') return { length: 1, stop: 1 }; // one choice is never finished
  if (/native|anthropic/.test(name)) return { error: 1 }; // no end that these protocols know
  const reasons = facts.finishReasons.length > 0 ? facts.finishReasons : [REASONS[id] ?? 'stop'];
  const counts: Record<string, number> = {};
  for (const reason of reasons) {
    const ours = REASONS[reason] ?? reason;
    counts[ours] = (counts[ours] ?? 0) + 1;
  }
  return counts;
}

function expectFacts(capture: Capture, page: Page): void {
  const { promptTokens, completionTokens } = capture.facts;
  const different = DIFFERENT[`${capture.server}/${capture.name}`];
  const tokens = different?.tokens ?? completionTokens;
  const prompt = different?.prompt ?? promptTokens;
  if (tokens !== null) expect(page['generation_tokens_total'] ?? 0).toBe(tokens);
  if (prompt !== null) expect(page['prompt_tokens_total'] ?? 0).toBe(prompt);
  expect(page['request_generation_tokens_sum'] ?? 0).toBe(page['generation_tokens_total'] ?? 0);
  expect(page['request_prompt_tokens_sum'] ?? 0).toBe(page['prompt_tokens_total'] ?? 0);
  expect(reasonsOf(page)).toEqual(expectedReasons(capture));
  expect(page['rx_engine_metrics_requests_in_flight'] ?? 0).toBe(0);
}

const NAMED = CAPTURES.map((capture) => [`${capture.server}/${capture.name}`, capture] as const);

describe('a capture as it came', () => {
  it.each(NAMED)('%s', async (_, capture) => {
    const { gateway, out } = await play(capture);
    expect(Buffer.compare(out, capture.bytes)).toBe(0);
    expectFacts(capture, await gateway.page());
  });
});

/** What a handle was told, for bytes that came in these pieces. */
function toldOf(pieces: readonly Uint8Array[]): readonly string[] {
  const handle = new NotedHandle();
  const answer = new AnswerBytes(new AnswerObserver(handle, {}));
  for (const piece of pieces) answer.read(piece);
  answer.end();
  return handle.told;
}

const isWhole = ([, { facts }]: (typeof NAMED)[number]) => facts.end === 'complete';

describe('what a handle is told does not depend on how the bytes were split', () => {
  const small = NAMED.filter(([, { bytes }]) => bytes.length <= 2500).filter(isWhole);
  it.each(small)('%s, in two at every byte', (_, { bytes }) => {
    const told = toldOf([bytes]);
    expect(told.length).toBeGreaterThan(0);
    for (let at = 1; at < bytes.length; at++)
      expect(toldOf([bytes.subarray(0, at), bytes.subarray(at)])).toEqual(told);
  });

  it.each(NAMED.filter(isWhole))('%s, anywhere', (_, { bytes }) => {
    const told = toldOf([bytes]);
    const sizes = fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 40 });
    const check = fc.property(sizes, (lengths) => {
      expect(toldOf(cut(bytes, lengths))).toEqual(told);
    });
    fc.assert(check, { numRuns: 8 });
  });
});

/** In pieces of these lengths, over and over. */
function cut(bytes: Uint8Array, lengths: readonly number[]): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (let from = 0, turn = 0; from < bytes.length; turn++) {
    const to = from + lengths[turn % lengths.length]!;
    pieces.push(bytes.subarray(from, to));
    from = to;
  }
  return pieces;
}

/** Where the server's own latency figures and ours differ by more than 20 ms a sample, and why. */
const LATE_FIRST_TOKEN: ReadonlySet<string> = new Set([
  // Tokens that no event shows: a stop string holds text back, a tool's name must be whole.
  'vllm-more/default-chat-stream-stop-string-held-back',
  'vllm/chat-stream-stop-string-held-back',
  'vllm/chat-stream-tool-required',
  'vllm/chat-stream-tool-silent-tokens',
  'vllm/chat-stream-tool-named',
]);

describe("a capture whose server's own page is known", () => {
  const known = NAMED.filter(
    ([, { facts, server, isStream, name }]) =>
      isStream && server.startsWith('vllm') && facts.serverCounters !== undefined && name !== 'load-6', // six requests
  );
  it.each(known)('%s', async (id, capture) => {
    const server = capture.facts.serverCounters!;
    const page = await play(capture).then(({ gateway }) => gateway.page());
    const theirs = (name: string) => server[`vllm:${name}`] ?? 0;
    const ours = (name: string) => page[name] ?? 0;
    const { tokens, prompt } = DIFFERENT[id] ?? {};
    if (tokens === undefined) expect(ours('generation_tokens_total')).toBe(theirs('generation_tokens_total'));
    if (prompt === undefined || prompt > 0)
      expect(ours('prompt_tokens_total')).toBe(theirs('prompt_tokens_total'));
    for (const reason of ['stop', 'length', 'error']) {
      const name = `request_success_total{finished_reason="${reason}"}`;
      expect(ours(name)).toBe(theirs(name));
    }
    if (capture.facts.end !== 'complete') return; // of an abort vLLM writes no terminal record
    for (const name of [
      'request_params_n_sum',
      'request_params_max_tokens_sum',
      'time_to_first_token_seconds_count',
    ])
      expect([name, ours(name)]).toEqual([name, theirs(name)]);
    if (tokens === undefined)
      expect(ours('request_max_num_generation_tokens_sum')).toBe(
        theirs('request_max_num_generation_tokens_sum'),
      );
    expectDurations(id, ours, theirs);
    const { events = 0 } = capture.facts;
    const isTold =
      /token-ids|continuous|multibyte$/.test(id) &&
      !/interval/.test(id) &&
      id !== 'vllm/chat-stream-continuous-usage';
    if (isTold && events > 0 && id !== 'vllm-more/default-completion-stream-multibyte')
      expect(ours('inter_token_latency_seconds_count')).toBe(theirs('inter_token_latency_seconds_count'));
  });
});

type Figure = (name: string) => number;

function expectDurations(id: string, ours: Figure, theirs: Figure): void {
  const choices = theirs('time_to_first_token_seconds_count');
  const ttft = ours('time_to_first_token_seconds_sum') - theirs('time_to_first_token_seconds_sum');
  if (!LATE_FIRST_TOKEN.has(id)) expect(Math.abs(ttft) / choices).toBeLessThan(0.02);
  // Choices of other lengths end with the stream here, and each at its own end in vLLM.
  const e2e = ours('e2e_request_latency_seconds_sum') - theirs('e2e_request_latency_seconds_sum');
  if (id !== 'vllm/chat-stream-n2') expect(Math.abs(e2e) / choices).toBeLessThan(0.02);
}
