/** Answers of every kind of server, made at random, against a plain model of what they are. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { observeSse } from '../../src/openai/index.js';
import { Gateway } from './gateway.js';
import { passThrough } from './observe.js';

/** How a server tells of tokens. */
type Counting =
  | 'none'
  | 'final'
  | 'per choice'
  | 'continuous'
  | 'token ids'
  | 'timings'
  | 'final beside a choice';

interface Choice {
  /** Tokens of each event; 0 is an event without a text. */
  readonly events: readonly number[];
  readonly reason: 'stop' | 'length' | 'tool_calls' | 'forgotten';
  /** Tokens that no event shows. */
  readonly silent: number;
}

interface Answer {
  readonly counting: Counting;
  readonly choices: readonly Choice[];
  readonly prompt: number;
  readonly kind: 'chat' | 'completion';
  readonly end: 'done' | 'error' | 'left';
  readonly newline: '\n' | '\r\n' | '\r';
  readonly noise: readonly string[];
}

const choice: fc.Arbitrary<Choice> = fc.record({
  events: fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 6 }),
  reason: fc.constantFrom('stop', 'length', 'tool_calls', 'forgotten'),
  silent: fc.integer({ min: 0, max: 3 }),
});

const answer: fc.Arbitrary<Answer> = fc.record({
  counting: fc.constantFrom<Counting>(
    'none',
    'final',
    'per choice',
    'continuous',
    'token ids',
    'timings',
    'final beside a choice',
  ),
  choices: fc.array(choice, { minLength: 1, maxLength: 3 }),
  prompt: fc.integer({ min: 1, max: 50 }),
  kind: fc.constantFrom('chat', 'completion'),
  end: fc.constantFrom('done', 'done', 'error', 'left'),
  newline: fc.constantFrom('\n', '\r\n', '\r'),
  noise: fc.array(
    fc.constantFrom(': ping', 'data: null', 'data: {"type":"ping"}', 'data: {broken', 'id: 4'),
    { maxLength: 3 },
  ),
});

const usageOf = (prompt: number, completion: number) => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
});
const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
const made = ({ events, silent }: Choice) => sum(events) + silent;

/** The events of an answer, choice after choice as far as each goes. */
function eventsOf({ counting, choices, prompt, kind }: Answer): object[] {
  const out: object[] = [];
  const total = sum(choices.map(made));
  choices.forEach((each, index) => {
    let counted = 0;
    for (const count of each.events) {
      counted += count;
      const text = count > 0 ? 'x' : '';
      out.push({
        choices: [
          {
            index,
            ...(kind === 'chat' ? { delta: { content: text } } : { text }),
            ...(counting === 'token ids' && { token_ids: Array.from({ length: count }, (_, id) => id) }),
          },
        ],
        ...(counting === 'continuous' && { usage: usageOf(prompt, counted) }),
        ...(counting === 'timings' && { timings: { prompt_n: prompt, predicted_n: counted } }),
      });
    }
    const last = { choices: [{ index, delta: {}, finish_reason: each.reason }] };
    if (each.reason === 'forgotten') return;
    if (counting === 'continuous') out.push({ ...last, usage: usageOf(prompt, made(each)) });
    else if (counting === 'timings')
      out.push({ ...last, timings: { prompt_n: prompt, predicted_n: made(each) } });
    else out.push(last);
    if (counting === 'per choice') out.push({ choices: [], usage: usageOf(prompt, made(each)) });
  });
  if (counting === 'final' || counting === 'continuous')
    out.push({ choices: [], usage: usageOf(prompt, total) });
  if (counting === 'final beside a choice')
    out.push({ choices: [{ index: 0, delta: {} }], usage: usageOf(prompt, total) });
  return out;
}

interface Model {
  readonly tokens: number;
  readonly reasons: Readonly<Record<string, number>>;
}

/** What the answer is, from its parts. */
function modelOf({ counting, choices, end }: Answer): Model {
  const texts = sum(choices.map(({ events }) => events.filter((count) => count > 0).length));
  const seen = sum(choices.map(({ events }) => sum(events)));
  const live =
    counting === 'none' || counting.startsWith('final') || counting === 'per choice' ? texts : seen;
  const isTold = counting !== 'none' && counting !== 'token ids';
  const all = isTold ? Math.max(live, sum(choices.map(made))) : live;
  const reasons: Record<string, number> = {};
  for (const { reason } of choices) {
    const known =
      reason === 'forgotten' ? (end === 'left' ? 'abort' : 'stop') : reason === 'length' ? 'length' : 'stop';
    const ours = end === 'error' ? 'error' : known;
    reasons[ours] = (reasons[ours] ?? 0) + 1;
  }
  return { tokens: all, reasons };
}

/** Those of which the model is sure: who forgets to finish sends no usage of a choice, and one says all. */
function isCertain({ counting, choices, end }: Answer): boolean {
  const forgets = choices.some(({ reason }) => reason === 'forgotten');
  const isEmpty = choices.some(({ events, reason }) => events.length === 0 && reason === 'forgotten');
  if (counting === 'final beside a choice' && choices[0]!.reason === 'forgotten') return false; // LiteLLM finishes 0
  // The single choice of a whole usage is settled with it: what follows comes too late to be its end.
  if (choices.length === 1 && end === 'error' && counting !== 'none' && counting !== 'token ids')
    return false;
  return (
    !isEmpty &&
    !(forgets && counting !== 'none' && counting !== 'token ids' && counting !== 'final beside a choice')
  );
}

it('an answer is what its parts are, in whatever pieces it comes', async () => {
  const lengths = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 10 });
  const check = fc.asyncProperty(answer.filter(isCertain), lengths, async (given, sizes) => {
    const blocks = [
      ...given.noise,
      ...eventsOf(given).map((event) => `data: ${JSON.stringify(event)}`),
      ...(given.end === 'error' ? ['data: {"error":{"message":"x"}}'] : []),
      ...(given.end === 'left' ? [] : ['data: [DONE]']),
    ];
    const bytes = new TextEncoder().encode(
      blocks.map((block) => block + given.newline + given.newline).join(''),
    );
    const reads: Uint8Array[] = [];
    for (let from = 0, turn = 0; from < bytes.length; turn++) {
      const to = from + sizes[turn % sizes.length]!;
      reads.push(bytes.slice(from, to));
      from = to;
    }
    const gateway = new Gateway();
    const stream = observeSse(gateway.start({ n: given.choices.length }));
    const out = await passThrough(stream, reads, given.end === 'left');
    if (given.end !== 'left') expect(Buffer.compare(out, bytes)).toBe(0);
    const page = await gateway.page();
    const { tokens, reasons } = modelOf(given);
    const found = Object.entries(page).filter(([name]) => name.startsWith('request_success'));
    expect(Object.fromEntries(found.map(([name, value]) => [/"(\w+)"/.exec(name)![1], value]))).toEqual(
      reasons,
    );
    expect(page['generation_tokens_total'] ?? 0).toBe(tokens);
    expect(page['request_generation_tokens_sum'] ?? 0).toBe(tokens);
    expect(page['request_prompt_tokens_sum'] ?? 0).toBe(page['prompt_tokens_total'] ?? 0);
    expect(gateway.metrics.inFlight).toBe(0);
  });
  await fc.assert(check, { numRuns: 300 });
});
