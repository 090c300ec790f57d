/** The operator in a stream: per output, and a request's fixed cost, against `tap(noop)` on the same Subjects. */
import { deepStrictEqual } from 'node:assert';
import { Registry } from 'prom-client';
import { type MonoTypeOperatorFunction, noop, Subject, tap } from 'rxjs';
import { withRequestMetrics } from '../../src/operators/with-request-metrics.js';
import type { EngineCoreOutput, EngineCoreStreamOutput } from '../../src/serving/engine-core.js';
import { ServingMetrics } from '../../src/serving/serving-metrics.js';
import { ns, pairedRounds, type Row, report, timed, times } from './harness.js';
import { KeptEngine, KeptRecorder } from './kept-prom-client.js';
import { ENGINES, MAX_TOKENS, OUTPUTS, outputsOf, PROMPT_TOKENS } from './lifecycle-workload.js';

type Operator = MonoTypeOperatorFunction<EngineCoreStreamOutput>;
type Kind = 'bare' | 'tap' | 'ours' | 'kept';
const KINDS = ['bare', 'tap', 'ours', 'kept'] as const;
const LIVE = 64;

const metrics = new ServingMetrics({ registry: new Registry(), modelName: 'm', engines: [0, 1, 2, 3] });
const promRegistry = new Registry();
const kept = Array.from({ length: ENGINES }, (_, engine) => new KeptEngine(promRegistry, engine));

const OPERATORS: Record<Kind, (engine: number) => Operator> = {
  bare: () => (source) => source,
  tap: () => tap(noop),
  ours: (engineIndex) =>
    withRequestMetrics(metrics, { numPromptTokens: PROMPT_TOKENS, maxTokens: MAX_TOKENS, engineIndex }),
  kept: (engine) => {
    const recorder = new KeptRecorder(kept[engine]!);
    return tap((value) => recorder.next(value));
  },
};

let seen = 0;
function consume({ output }: EngineCoreStreamOutput): void {
  seen += output.newTokenIds.length;
}

interface Round {
  readonly perOutput: number;
  readonly fixed: number;
}

/** Subscribes, sends and ends LIVE requests; mid-stream outputs are timed apart from beginning and end. */
function roundOf(
  operatorOf: (engine: number) => Operator,
  outputs: readonly EngineCoreStreamOutput[],
): Round {
  const subjects = Array.from({ length: LIVE }, () => new Subject<EngineCoreStreamOutput>());
  const streams = subjects.map((subject, i) => subject.pipe(operatorOf(i % ENGINES)));
  const first = outputs[0]!;
  const last = outputs[OUTPUTS - 1]!;
  const begin = timed(() => {
    for (let i = 0; i < LIVE; i++) streams[i]!.subscribe(consume);
  });
  for (let i = 0; i < LIVE; i++) subjects[i]!.next(first);
  const middle = timed(() => {
    for (let o = 1; o < OUTPUTS - 1; o++) for (let i = 0; i < LIVE; i++) subjects[i]!.next(outputs[o]!);
  });
  const end = timed(() => {
    for (let i = 0; i < LIVE; i++) {
      subjects[i]!.next(last);
      subjects[i]!.complete();
    }
  });
  return { perOutput: middle / (LIVE * (OUTPUTS - 2)), fixed: (begin + end) / LIVE };
}

/** The same outputs with fields in other orders and some left out: what a careless builder makes. */
function mixedShapes(outputs: readonly EngineCoreStreamOutput[]): readonly EngineCoreStreamOutput[] {
  return outputs.map((value, i) => {
    const entries = Object.entries(value.output).filter(
      ([, field], k) => field !== undefined || (k + i) % 3 === 0,
    );
    const turned = [...entries.slice(i % entries.length), ...entries.slice(0, i % entries.length)];
    return { ...value, output: Object.fromEntries(turned) as unknown as EngineCoreOutput };
  });
}

function measure(outputs: readonly EngineCoreStreamOutput[], kinds: readonly Kind[], rounds: number) {
  const fixed = new Map<Kind, number[]>(kinds.map((kind) => [kind, []]));
  const perOutput = pairedRounds(kinds, { warmUp: 60, measured: rounds }, (kind) => {
    const round = roundOf(OPERATORS[kind], outputs);
    fixed.get(kind)!.push(round.fixed);
    return round.perOutput;
  });
  return { perOutput, fixed };
}

const { perOutput, fixed } = measure(outputsOf(1), KINDS, 301);
const metricsOf = (engine: number) => metrics.forEngine(engine).generationTokens.value;
deepStrictEqual(seen, 4 * 361 * LIVE * OUTPUTS);
deepStrictEqual([0, 1, 2, 3].map(metricsOf), Array(4).fill((361 * LIVE * OUTPUTS) / ENGINES));
const mixed = measure(mixedShapes(outputsOf(1)), ['tap', 'ours'], 101).perOutput;

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}

const overTap = perOutput.ratio('ours', 'tap');
const added = perOutput.difference('ours', 'tap').median;
const keptAdded = perOutput.difference('kept', 'tap').median;
const fixedCosts = fixed
  .get('ours')!
  .slice(60)
  .map((value, i) => value - fixed.get('tap')![60 + i]!);
const fixedCost = median(fixedCosts);
const rows: readonly Row[] = [
  {
    what: 'pipeline: `withRequestMetrics` against `tap(noop)`, per output',
    measured:
      `${times(overTap)}; ${ns(perOutput.of('ours'))} against ${ns(perOutput.of('tap'))}, ` +
      `bare stream ${ns(perOutput.of('bare'))}`,
    target: '≤ 1.0 ×',
    met: overTap.median <= 1.0,
  },
  {
    what: 'added to `tap(noop)` per output, against `tap` with kept prom-client handles',
    measured: `${added.toFixed(1)} ns against ${keptAdded.toFixed(0)} ns; ${ns(perOutput.of('kept'), 0)} in all`,
    target: '≤ 1/30',
    met: added <= keptAdded / 30,
  },
  {
    what: 'the same with outputs of many shapes',
    measured: `${times(mixed.ratio('ours', 'tap'))}; ${ns(mixed.of('ours'))} against ${ns(mixed.of('tap'))}`,
    target: 'shown',
    met: undefined,
  },
  {
    what: "a request's fixed cost over `tap(noop)`: subscribe, terminal record, unsubscribe",
    measured: `${fixedCost.toFixed(0)} ns`,
    target: '≤ 500 ns',
    met: fixedCost <= 500,
  },
];
report(rows);
