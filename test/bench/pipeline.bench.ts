/** The operator in a stream: per output, and a request's fixed cost, against `tap(noop)` on the same Subjects. */
import { deepStrictEqual } from 'node:assert';
import { Registry } from 'prom-client';
import { type MonoTypeOperatorFunction, noop, type Observable, Subject, tap } from 'rxjs';
import type { EngineCoreOutput, EngineCoreStreamOutput } from '../../src/engine-core/engine-core-outputs.js';
import { withRequestMetrics } from '../../src/operators/with-request-metrics.js';
import { ServingMetrics } from '../../src/serving/serving-metrics.js';
import { ns, pairedRounds, type Row, report, timed, times } from './harness.js';
import { KeptEngine, KeptRecorder } from './workloads/kept-prom-client.js';
import { ENGINES, MAX_TOKENS, OUTPUTS, outputsOf, PROMPT_TOKENS } from './workloads/lifecycle-workload.js';

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

type OutputsByEngine = readonly (readonly EngineCoreStreamOutput[])[];

let seen = 0;
function consume({ output }: EngineCoreStreamOutput): void {
  seen += output.newTokenIds.length;
}

interface Streams {
  readonly subjects: readonly Subject<EngineCoreStreamOutput>[];
  readonly streams: readonly Observable<EngineCoreStreamOutput>[];
}

function streamsOf(operatorOf: (engine: number) => Operator): Streams {
  const subjects = Array.from({ length: LIVE }, () => new Subject<EngineCoreStreamOutput>());
  return { subjects, streams: subjects.map((subject, i) => subject.pipe(operatorOf(i % ENGINES))) };
}

/** Sends OUTPUTS outputs to each of LIVE requests; ns per output between the first and the last. */
function perOutputOf(operatorOf: (engine: number) => Operator, outputs: OutputsByEngine): number {
  const { subjects, streams } = streamsOf(operatorOf);
  for (let i = 0; i < LIVE; i++) streams[i]!.subscribe(consume);
  for (let i = 0; i < LIVE; i++) subjects[i]!.next(outputs[i % ENGINES]![0]!);
  const middle = timed(() => {
    for (let o = 1; o < OUTPUTS - 1; o++)
      for (let i = 0; i < LIVE; i++) subjects[i]!.next(outputs[i % ENGINES]![o]!);
  });
  for (let i = 0; i < LIVE; i++) {
    subjects[i]!.next(outputs[i % ENGINES]![OUTPUTS - 1]!);
    subjects[i]!.complete();
  }
  return middle / (LIVE * (OUTPUTS - 2));
}

/** Begins and ends LIVE requests of two outputs; ns for subscribing, and for the last output and completion. */
function fixedOf(operatorOf: (engine: number) => Operator, outputs: OutputsByEngine): number {
  const { subjects, streams } = streamsOf(operatorOf);
  const begin = timed(() => {
    for (let i = 0; i < LIVE; i++) streams[i]!.subscribe(consume);
  });
  for (let i = 0; i < LIVE; i++) subjects[i]!.next(outputs[i % ENGINES]![0]!);
  const end = timed(() => {
    for (let i = 0; i < LIVE; i++) {
      subjects[i]!.next(outputs[i % ENGINES]![OUTPUTS - 1]!);
      subjects[i]!.complete();
    }
  });
  return (begin + end) / LIVE;
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

const usual: OutputsByEngine = Array.from({ length: ENGINES }, (_, engine) => outputsOf(ENGINES + engine));
const perOutput = pairedRounds(KINDS, { warmUp: 60, measured: 301 }, (kind) =>
  perOutputOf(OPERATORS[kind], usual),
);
const fixed = pairedRounds(['tap', 'ours'] as const, { warmUp: 100, measured: 501 }, (kind) =>
  fixedOf(OPERATORS[kind], usual),
);
const sent = LIVE * (361 * OUTPUTS + 601 * 2);
deepStrictEqual(seen, 4 * LIVE * 361 * OUTPUTS + 2 * LIVE * 601 * 2);
const counted = [0, 1, 2, 3].map((engine) => metrics.forEngine(engine).generationTokens.value);
deepStrictEqual(counted, Array(ENGINES).fill(sent / ENGINES));
const shapes = usual.map(mixedShapes);
const mixed = pairedRounds(['tap', 'ours'] as const, { warmUp: 60, measured: 101 }, (kind) =>
  perOutputOf(OPERATORS[kind], shapes),
);

const overTap = perOutput.ratio('ours', 'tap');
const added = perOutput.difference('ours', 'tap').median;
const keptAdded = perOutput.difference('kept', 'tap').median;
const fixedCost = fixed.difference('ours', 'tap');
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
    measured: `${fixedCost.median.toFixed(0)} ns (${ns(fixed.of('ours'), 0)} against ${ns(fixed.of('tap'), 0)})`,
    target: '≤ 500 ns',
    met: fixedCost.median <= 500,
  },
];
report(rows);
