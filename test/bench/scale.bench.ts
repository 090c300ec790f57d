/** How the cost of an output grows with engines and with requests in flight. */
import { deepStrictEqual } from 'node:assert';
import { Registry } from 'prom-client';
import { type MonoTypeOperatorFunction, noop, Subject, tap } from 'rxjs';
import type { EngineCoreStreamOutput } from '../../src/engine-core/engine-core-outputs.js';
import { withRequestMetrics } from '../../src/operators/with-request-metrics.js';
import { ServingMetrics } from '../../src/serving/serving-metrics.js';
import { engineOutput } from '../../src/testing/engine-output.js';
import { pairedRounds, report, timed } from './harness.js';

type Operator = MonoTypeOperatorFunction<EngineCoreStreamOutput>;
type Resent = { -readonly [Field in keyof EngineCoreStreamOutput]: EngineCoreStreamOutput[Field] };

/** An output for each engine, sent again with the time of each round. */
const OUTPUTS: readonly Resent[] = Array.from({ length: 1024 }, (_, engineIndex) =>
  engineOutput(1, { engineIndex, timestamp: 0 }),
);
let timestamp = 0;

function open(count: number, operatorOf: (i: number) => Operator): Subject<EngineCoreStreamOutput>[] {
  return Array.from({ length: count }, (_, i) => {
    const subject = new Subject<EngineCoreStreamOutput>();
    subject.pipe(operatorOf(i)).subscribe(noop);
    return subject;
  });
}

/** Sends `rounds` outputs to each, one stream after the other, which take turns on a power of 2 of engines; ns per output. */
function send(subjects: readonly Subject<EngineCoreStreamOutput>[], engines: number, rounds: number): number {
  const spent = timed(() => {
    for (let r = 0; r < rounds; r++) {
      timestamp += 0.03;
      for (let i = 0; i < subjects.length; i++) {
        const output = OUTPUTS[i & (engines - 1)]!;
        output.timestamp = timestamp;
        subjects[i]!.next(output);
      }
    }
  });
  return spent / (rounds * subjects.length);
}

function close(subjects: readonly Subject<EngineCoreStreamOutput>[]): void {
  for (const subject of subjects) subject.complete();
}

const ENGINE_COUNTS = ['1', '16', '64', '256', '1024'] as const;

/** ns per output from 1 to 1,024 streams, each number of them in each round; ours has an engine per stream. */
function growth(operatorsOf: (count: string) => (i: number) => Operator): readonly number[] {
  const streams = new Map(ENGINE_COUNTS.map((count) => [count, open(Number(count), operatorsOf(count))]));
  const figures = pairedRounds(ENGINE_COUNTS, { warmUp: 10, measured: 61 }, (count) =>
    send(streams.get(count)!, Number(count), 65_536 / Number(count)),
  );
  for (const subjects of streams.values()) close(subjects);
  return ENGINE_COUNTS.map((count) => figures.of(count).median);
}

function ourOperators(count: string): (engineIndex: number) => Operator {
  const engines = Array.from({ length: Number(count) }, (_, engine) => engine);
  const metrics = new ServingMetrics({ registry: new Registry(), modelName: `m${count}`, engines });
  return (engineIndex) => withRequestMetrics(metrics, { numPromptTokens: 1, engineIndex });
}

/** From the first figure to the last, and the figures. */
function spelled(perOutput: readonly number[]): string {
  const figures = ENGINE_COUNTS.map((count, i) => `${count}: ${perOutput[i]!.toFixed(0)}`).join(', ');
  return `${(perOutput.at(-1)! / perOutput[0]!).toFixed(2)} × (${figures} ns)`;
}

interface FlightPoint {
  readonly live: number;
  readonly tapped: number;
  readonly ours: number;
}

/** Engines under the requests in flight. */
const FEW = 4;

/** `tap(noop)` and ours at the same number of live requests, each built, measured and ended in turn. */
function flightPoint(live: number): FlightPoint {
  const metrics = new ServingMetrics({ registry: new Registry(), modelName: 'm', engines: [0, 1, 2, 3] });
  const operators = {
    tapped: () => tap<EngineCoreStreamOutput>(noop),
    ours: (i: number) =>
      withRequestMetrics<EngineCoreStreamOutput>(metrics, { numPromptTokens: 1, engineIndex: i & (FEW - 1) }),
  };
  const rounds = Math.max(2, Math.ceil(400_000 / live));
  const figures = pairedRounds(
    ['tapped', 'ours'] as const,
    { warmUp: 1, measured: live > 500_000 ? 3 : 7 },
    (kind) => {
      const subjects = open(live, operators[kind]);
      send(subjects, FEW, 2);
      const perOutput = send(subjects, FEW, rounds);
      close(subjects);
      return perOutput;
    },
  );
  deepStrictEqual(metrics.inFlight, 0);
  return { live, tapped: figures.of('tapped').median, ours: figures.of('ours').median };
}

const ours = growth(ourOperators);
const tapped = growth(() => () => tap(noop));
const points = [64, 10_000, 100_000, 1_000_000].map(flightPoint);

report([
  {
    what: 'ns per output, 1 → 1,024 engines, one request each, visited in sequence',
    measured: `${spelled(ours)}; \`tap(noop)\` over as many streams ${spelled(tapped)}`,
    target: '≤ 1.25 ×',
    met: ours.at(-1)! / ours[0]! <= 1.25,
  },
  {
    what: '64 → 1,000,000 requests in flight, ours against `tap(noop)` at the same point; nothing left after',
    measured: points
      .map(({ live, ours, tapped }) => `${live}: ${ours.toFixed(0)} / ${tapped.toFixed(0)} ns`)
      .join(', '),
    target: 'never above',
    met: points.every((point) => point.ours <= point.tapped),
  },
]);
