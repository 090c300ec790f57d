/** What it costs to watch a stream of server-sent events, and to tell a handle of tokens. */
import { strictEqual } from 'node:assert';
import { Registry } from 'prom-client';
import { Subject } from 'rxjs';
import { type EngineCoreStreamOutput, ServingMetrics, withRequestMetrics } from '../../src/index.js';
import { observeSse } from '../../src/openai/index.js';
import { engineOutput } from '../../src/testing/index.js';
import { ns, pairedRounds, Rounds, report, timed, times } from './harness.js';

type Watcher = 'pass' | 'hand' | 'ours';
const WATCHERS: readonly Watcher[] = ['pass', 'hand', 'ours'];

/** As vLLM writes them: one event a read, about 230 bytes. */
const CHUNKS = 4000;
const READS: readonly Uint8Array[] = Array.from({ length: CHUNKS }, (_, i) => {
  const choices = [
    { index: 0, delta: { content: ` word${i}` }, logprobs: null, finish_reason: null, token_ids: null },
  ];
  const event = {
    id: 'chatcmpl-b1686f8530e8bcc5',
    object: 'chat.completion.chunk',
    created: 1_796_236_580,
    model: 'm',
    choices,
  };
  return new TextEncoder().encode(`data: ${JSON.stringify(event)}\n\n`);
});
const BYTES = READS.reduce((sum, { length }) => sum + length, 0);

const metrics = new ServingMetrics({ registry: new Registry(), modelName: 'm', profile: 'gateway' });

/** What one writes in half an hour: LF alone, and whatever the events hold beside a text is not looked at. */
function countingByHand(counted: { tokens: number }): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder();
  let rest = '';
  return new TransformStream({
    transform(chunk, controller) {
      controller.enqueue(chunk);
      const events = (rest + decoder.decode(chunk, { stream: true })).split('\n\n');
      rest = events.pop()!;
      for (const event of events) {
        const data = event.slice('data: '.length);
        if (data === '[DONE]') continue;
        if (JSON.parse(data).choices[0]?.delta.content) counted.tokens++;
      }
    },
  });
}

/** Nanoseconds a chunk for all reads through one stream. */
async function watch(watcher: Watcher): Promise<number> {
  const counted = { tokens: 0 };
  const handle = metrics.startRequest({});
  const stream =
    watcher === 'pass'
      ? new TransformStream<Uint8Array, Uint8Array>()
      : watcher === 'hand'
        ? countingByHand(counted)
        : observeSse(handle);
  const generated = metrics.forEngine(0).generationTokens;
  const before = generated.value;
  const reader = stream.readable.getReader();
  const writer = stream.writable.getWriter();
  const start = process.hrtime.bigint();
  for (const read of READS) {
    const written = writer.write(read);
    await reader.read();
    await written;
  }
  const elapsed = Number(process.hrtime.bigint() - start);
  await reader.cancel();
  if (watcher === 'hand') strictEqual(counted.tokens, CHUNKS);
  if (watcher === 'ours') strictEqual(generated.value - before, CHUNKS);
  return elapsed / CHUNKS;
}

const streams = new Rounds<Watcher>(WATCHERS);
for (let round = 0; round < 46; round++) {
  for (const watcher of round % 2 === 0 ? WATCHERS : WATCHERS.toReversed()) {
    const figure = await watch(watcher);
    if (round >= 15) streams.add(watcher, figure);
  }
}

type Teller = 'handle' | 'operator';
const TOKENS = 100_000;
const engine = new ServingMetrics({ registry: new Registry(), modelName: 'm', engines: [0] });
const outputs = Array.from({ length: TOKENS }, (_, i) => engineOutput(1, { timestamp: 1 + i * 0.01 }));

/** Nanoseconds a token in mid-generation. */
const TELL: Readonly<Record<Teller, () => number>> = {
  handle() {
    const handle = engine.startRequest({ numPromptTokens: 1, engineIndex: 0 });
    const elapsed = timed(() => {
      for (let i = 0; i < TOKENS; i++) handle.tokens(1, 1 + i * 0.01);
    });
    handle.end('stop');
    return elapsed / TOKENS;
  },
  operator() {
    const source = new Subject<EngineCoreStreamOutput>();
    const stream = source.pipe(withRequestMetrics(engine, { numPromptTokens: 1, engineIndex: 0 }));
    const subscription = stream.subscribe();
    const elapsed = timed(() => {
      for (let i = 0; i < TOKENS; i++) source.next(outputs[i]!);
    });
    subscription.unsubscribe();
    return elapsed / TOKENS;
  },
};
const told = pairedRounds<Teller>(['handle', 'operator'], { warmUp: 10, measured: 41 }, (teller) =>
  TELL[teller](),
);

const overHand = streams.ratio('ours', 'hand');
const rate = (watcher: Watcher): string =>
  `${((BYTES / CHUNKS / streams.of(watcher).median) * 1000).toFixed(0)} MB/s`;
report([
  {
    what: '`observeSse` against parsing and counting by hand, a chunk of one event',
    measured: `${times(overHand)}; ${ns(streams.of('ours'), 0)}, ${rate('ours')} against ${ns(streams.of('hand'), 0)}`,
    target: '≤ 1.3 ×',
    met: overHand.median <= 1.3,
  },
  {
    what: 'a bare `TransformStream` of the platform, which looks at nothing',
    measured: `${ns(streams.of('pass'), 0)}, ${rate('pass')}`,
    target: 'for scale',
    met: undefined,
  },
  {
    what: "a handle's `tokens` beside `withRequestMetrics` on a Subject, a token",
    measured: `${ns(told.of('handle'))} against ${ns(told.of('operator'))}`,
    target: 'for scale',
    met: undefined,
  },
]);
