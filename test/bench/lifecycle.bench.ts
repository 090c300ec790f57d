/** The lifecycle workload with the recorder called directly. */
import { deepStrictEqual } from 'node:assert';
import { Registry } from 'prom-client';
import { ServingCore } from '../../src/serving/engines/serving-core.js';
import { resolveOptions } from '../../src/serving/options.js';
import { planRequest, type RequestPlan } from '../../src/serving/request/request-info.js';
import { RequestRecorder } from '../../src/serving/request/request-recorder.js';
import { ns, pairedRounds, report, timed, times } from './harness.js';
import { HandWrittenEngine, HandWrittenRecorder } from './workloads/hand-written.js';
import { KeptEngine, KeptRecorder } from './workloads/kept-prom-client.js';
import { ENGINES, MAX_TOKENS, OUTPUTS, outputsOf, PROMPT_TOKENS } from './workloads/lifecycle-workload.js';

type Kind = 'ours' | 'hand' | 'kept';
const REQUESTS: Record<Kind, number> = { ours: 400, hand: 400, kept: 20 };

const core = new ServingCore(
  resolveOptions({ registry: new Registry(), modelName: 'm', engines: [0, 1, 2, 3] }),
);
const plans: readonly RequestPlan[] = Array.from({ length: ENGINES }, (_, engine) =>
  planRequest({ numPromptTokens: PROMPT_TOKENS, maxTokens: MAX_TOKENS }, engine, undefined, { report() {} }),
);
const hand = Array.from({ length: ENGINES }, () => new HandWrittenEngine());
const promRegistry = new Registry();
const kept = Array.from({ length: ENGINES }, (_, engine) => new KeptEngine(promRegistry, engine));

function runOurs(requests: number): void {
  for (let r = 0; r < requests; r++) {
    const engine = r % ENGINES;
    const recorder = new RequestRecorder(core, core.engine(engine), plans[engine]!);
    const outputs = outputsOf(r);
    for (let i = 0; i < OUTPUTS; i++) recorder.next(outputs[i]!);
  }
}

function runHand(requests: number): void {
  for (let r = 0; r < requests; r++) {
    const recorder = new HandWrittenRecorder(hand[r % ENGINES]!);
    const outputs = outputsOf(r);
    for (let i = 0; i < OUTPUTS; i++) recorder.next(outputs[i]!);
  }
}

function runKept(requests: number): void {
  for (let r = 0; r < requests; r++) {
    const recorder = new KeptRecorder(kept[r % ENGINES]!);
    const outputs = outputsOf(r);
    for (let i = 0; i < OUTPUTS; i++) recorder.next(outputs[i]!);
  }
}

const RUN: Record<Kind, (requests: number) => void> = { ours: runOurs, hand: runHand, kept: runKept };

/** Totals that every competitor must end with after the same requests: nobody wins by skipping work. */
function checkTotals(): void {
  for (let engine = 0; engine < ENGINES; engine++) {
    const ours = core.engine(engine).metrics;
    const theirs = hand[engine]!;
    deepStrictEqual(ours.generationTokens.value, theirs.generationTokens);
    deepStrictEqual(ours.numPreemptions.value, theirs.preemptions);
    deepStrictEqual(ours.requestSuccess.length.value, theirs.length);
    deepStrictEqual([...ours.interTokenLatencySeconds.cells.slice(0, -1)], [...theirs.itl.counts]);
    deepStrictEqual(
      ours.requestDecodeTimeSeconds.count,
      theirs.decode.counts.reduce((a, b) => a + b, 0),
    );
    deepStrictEqual(ours.requestPrefillKvComputedTokens.sum, theirs.prefillKv.sum - 0.5);
  }
}

const figures = pairedRounds<Kind>(['ours', 'hand', 'kept'], { warmUp: 20, measured: 101 }, (kind) => {
  const requests = REQUESTS[kind];
  return timed(() => RUN[kind](requests)) / (requests * OUTPUTS);
});
checkTotals();
const overHand = figures.ratio('ours', 'hand');
const underKept = figures.ratio('kept', 'ours');
report([
  {
    what: 'lifecycle, recorder called directly, against hand-written cells',
    measured: `${times(overHand)}; ${ns(figures.of('ours'))} against ${ns(figures.of('hand'))}`,
    target: '≤ 1.1 ×',
    met: overHand.median <= 1.1,
  },
  {
    what: 'lifecycle, kept prom-client handles against ours',
    measured: `${times(underKept, 0)}; ${ns(figures.of('kept'), 0)}`,
    target: '≥ 50 ×',
    met: underKept.median >= 50,
  },
]);
