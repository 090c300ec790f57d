/**
 * The whole path of an output over loopback, from an engine in another process that sends faster than anybody reads:
 * receiving alone, receiving and decoding, and `connectEngines` with both operators.
 */
import { deepStrictEqual } from 'node:assert';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Registry } from 'prom-client';
import { Pull } from 'zeromq';
import type { EngineCoreStreamOutput } from '../../src/engine-core/engine-core-outputs.js';
import { withRequestMetrics } from '../../src/operators/with-request-metrics.js';
import { withSchedulerMetrics } from '../../src/operators/with-scheduler-metrics.js';
import { ServingMetrics } from '../../src/serving/serving-metrics.js';
import { readSamples } from '../../src/testing/read-samples.js';
import { EngineCoreOutputsDecoder } from '../../src/wire/index.js';
import { connectEngines } from '../../src/zeromq/index.js';
import { freePort } from '../support/free-port.js';
import { ns, Rounds, report } from './harness.js';
import { type Spent, Stopwatch } from './workloads/stopwatch.js';
import { type Order, REQUEST_IDS, STEPS_A_ROUND, tokenSumOf } from './workloads/whole-path-workload.js';

type Kind = 'drop' | 'decode' | 'whole';
const KINDS = ['drop', 'decode', 'whole'] as const;
const ROUNDS = { warmUp: 5, measured: 31 };
const ALL_STEPS = STEPS_A_ROUND * (ROUNDS.warmUp + ROUNDS.measured);
const OUTPUTS_A_ROUND = STEPS_A_ROUND * REQUEST_IDS.length;

const pull = new Pull({ receiveHighWaterMark: 0, linger: 0 });
await pull.bind('tcp://127.0.0.1:*');
const handshake = `tcp://127.0.0.1:${await freePort()}`;
const engineFile = fileURLToPath(new URL('./workloads/whole-path-engine.js', import.meta.url));
const engine = fork(engineFile, [handshake, pull.lastEndpoint!], { execArgv: [] });
const order = (what: Order) => engine.send(what);

const registry = new Registry();
const metrics = new ServingMetrics({ registry, modelName: 'm', engines: [0] });
const client = await connectEngines({ handshake, engines: 1 });
const decoder = new EngineCoreOutputsDecoder();

/** What came each way. */
const came = {
  drop: { messages: 0 },
  decode: { outputs: 0, tokenSum: 0 },
  whole: { outputs: 0, tokenSum: 0 },
};

/** Begun with a round's first message, so that the start of the sender is not in it. */
const watch = new Stopwatch();

/** A round on the socket that just reads. */
async function bareRound(take: (frame: Uint8Array) => void): Promise<Spent> {
  order('bare');
  for (let i = 0; i < STEPS_A_ROUND; i++) {
    const [frame] = await pull.receive();
    if (i === 0) watch.begin();
    take(frame!);
  }
  return watch.look();
}

function drop(): void {
  came.drop.messages++;
}

function decode(frame: Uint8Array): void {
  const { decode: sums } = came;
  const { outputs } = decoder.decode(frame);
  sums.outputs += outputs.length;
  for (let i = 0; i < outputs.length; i++) sums.tokenSum += outputs[i]!.newTokenIds[0]!;
}

let batches = 0;
client.batches$.pipe(withSchedulerMetrics(metrics)).subscribe(() => {
  if (batches++ % STEPS_A_ROUND === 0) watch.begin();
});

let onLast: (spent: Spent) => void = () => {};
function consume({ output }: EngineCoreStreamOutput): void {
  const { whole: sums } = came;
  sums.outputs++;
  sums.tokenSum += output.newTokenIds[0]!;
  if (sums.outputs % OUTPUTS_A_ROUND === 0) onLast(watch.look());
}

function wholeRound(): Promise<Spent> {
  return new Promise((resolve) => {
    onLast = resolve;
    order('client');
  });
}

/** Opens the requests; resolves when each has completed. */
async function served(): Promise<void> {
  const maxTokens = ALL_STEPS + 1;
  const ends = REQUEST_IDS.map((requestId) => {
    const stream = client
      .generate({ requestId, promptTokenIds: [1, 2, 3], samplingParams: { maxTokens } })
      .pipe(withRequestMetrics(metrics, { numPromptTokens: 3, maxTokens }));
    return new Promise<void>((complete, error) => {
      stream.subscribe({ next: consume, error, complete });
    });
  });
  await Promise.all(ends);
}

const runOf: Record<Kind, () => Promise<Spent>> = {
  drop: () => bareRound(drop),
  decode: () => bareRound(decode),
  whole: wholeRound,
};
const serving = served();
const [wall, cpu] = [new Rounds(KINDS), new Rounds(KINDS)];
for (let round = 0; round < ROUNDS.warmUp + ROUNDS.measured; round++) {
  order('prepare');
  await once(engine, 'message');
  for (const kind of round % 2 === 0 ? KINDS : KINDS.toReversed()) {
    const spent = await runOf[kind]();
    if (round < ROUNDS.warmUp) continue;
    wall.add(kind, spent.wall / OUTPUTS_A_ROUND);
    cpu.add(kind, spent.cpu / OUTPUTS_A_ROUND);
  }
}
order('end');
await serving;
await client.close();
pull.close();
engine.kill();

const outputs = ALL_STEPS * REQUEST_IDS.length;
const withEnds = outputs + REQUEST_IDS.length;
deepStrictEqual(came, {
  drop: { messages: ALL_STEPS },
  decode: { outputs, tokenSum: tokenSumOf(ALL_STEPS) },
  whole: { outputs: withEnds, tokenSum: tokenSumOf(ALL_STEPS + 1) },
});
const samples = await readSamples(registry);
const labels = '{engine="0",model_name="m"}';
deepStrictEqual(
  {
    skipped: client.skippedMessages,
    generationTokens: samples.get(`vllm:generation_tokens_total${labels}`),
    iterations: samples.get(`vllm:iteration_tokens_total_count${labels}`),
    intervals: samples.get(`vllm:inter_token_latency_seconds_count${labels}`),
    ended: samples.get('vllm:request_success_total{engine="0",finished_reason="length",model_name="m"}'),
  },
  {
    skipped: 0,
    generationTokens: withEnds,
    iterations: ALL_STEPS + 1,
    intervals: withEnds - REQUEST_IDS.length,
    ended: REQUEST_IDS.length,
  },
);

const cpuOf = (kind: Kind) => `${cpu.of(kind).median.toFixed(0)} ns of the main thread's CPU`;
report([
  {
    what: 'over loopback, 256 one-token outputs a message: receive, decode, route, both operators, an output',
    measured: `${ns(wall.of('whole'))}; ${cpuOf('whole')}`,
    target: '≤ 300 ns',
    met: wall.of('whole').median <= 300,
  },
  {
    what: 'the same messages, received and decoded',
    measured: `${ns(wall.of('decode'))}; ${cpuOf('decode')}`,
    target: 'for scale',
    met: undefined,
  },
  {
    what: 'the same messages, received and dropped',
    measured: `${ns(wall.of('drop'))}; ${cpuOf('drop')}`,
    target: 'for scale',
    met: undefined,
  },
]);
