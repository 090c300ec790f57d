/** Bytes: allocated per output, record and tick by the slope between two run lengths; kept per request in flight. */
import { Registry } from 'prom-client';
import { type MonoTypeOperatorFunction, noop, Observable, Subject, type Subscriber, tap } from 'rxjs';
import type { EngineCoreOutputs, EngineCoreStreamOutput } from '../../src/engine-core/engine-core-outputs.js';
import { withRequestMetrics } from '../../src/operators/with-request-metrics.js';
import { withSchedulerMetrics } from '../../src/operators/with-scheduler-metrics.js';
import { ServingMetrics } from '../../src/serving/serving-metrics.js';
import { StatsReader } from '../../src/serving/stats-log/reader.js';
import { engineOutput } from '../../src/testing/engine-output.js';
import { report, spreadOf } from './harness.js';
import { STATS } from './workloads/scheduler-workload.js';

const collect = globalThis.gc as () => void;
const metrics = new ServingMetrics({ registry: new Registry(), modelName: 'm', engines: [0] });
const request = { numPromptTokens: 10, engineIndex: 0 };

function heapAfter(body: () => void): number {
  collect();
  const before = process.memoryUsage().heapUsed;
  body();
  return process.memoryUsage().heapUsed - before;
}

/** Bytes per call: what twice as many calls allocate more, so that what a run costs once does not count. */
function slope(calls: number, run: (calls: number) => void): number {
  run(calls);
  const figures = Array.from(
    { length: 5 },
    () => (heapAfter(() => run(2 * calls)) - heapAfter(() => run(calls))) / calls,
  );
  return spreadOf(figures).median;
}

/** A stream whose source is a bare call: nothing but the operator can allocate. */
function directTarget<T>(operator: MonoTypeOperatorFunction<T>): Subscriber<T> {
  let target!: Subscriber<T>;
  new Observable<T>((subscriber) => {
    target = subscriber;
  })
    .pipe(operator)
    .subscribe(noop);
  return target;
}

function bytesPerOutput(): number {
  const outputs = Array.from({ length: 1024 }, (_, i) => engineOutput(1, { timestamp: 1 + i * 0.03 }));
  const target = directTarget<EngineCoreStreamOutput>(withRequestMetrics(metrics, request));
  return slope(2_000_000, (calls) => {
    // A step back in time once in 1,024 outputs, which is a diagnostic: of no weight here.
    for (let i = 0; i < calls; i++) target.next(outputs[i & 1023]!);
  });
}

function bytesPerRecord(): number {
  const batches = STATS.map((schedulerStats) => ({
    engineIndex: 0,
    outputs: [],
    schedulerStats,
    timestamp: 1,
  }));
  const target = directTarget<EngineCoreOutputs>(withSchedulerMetrics(metrics));
  return slope(1_000_000, (calls) => {
    for (let i = 0; i < calls; i++) target.next(batches[i & 15]!);
  });
}

/** Bytes that 20,000 ticks leave behind each, collected: a tick makes an entry and may borrow for it. */
function bytesKeptPerTick(): number {
  const reader = new StatsReader(metrics.core, { perEngine: false, every: 1000, now: 0 });
  const tick = (from: number, to: number) => {
    for (let i = from; i < to; i++) reader.read(i * 1000);
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = tick(1, 2_000);
  return (tick(2_000, 22_000) - before) / 20_000;
}

/** Bytes kept per live request. */
function bytesInFlight(operatorOf: () => MonoTypeOperatorFunction<EngineCoreStreamOutput>): number {
  const live = 20_000;
  const subjects = Array.from({ length: live }, () => new Subject<EngineCoreStreamOutput>());
  const first = engineOutput(1, { timestamp: 1 });
  collect();
  const before = process.memoryUsage().heapUsed;
  for (const subject of subjects) subject.pipe(operatorOf()).subscribe(noop);
  for (const subject of subjects) subject.next(first);
  collect();
  const kept = process.memoryUsage().heapUsed - before;
  for (const subject of subjects) subject.complete();
  return kept / live;
}

const perOutput = bytesPerOutput();
const perRecord = bytesPerRecord();
const perTick = bytesKeptPerTick();
bytesInFlight(() => tap(noop));
bytesInFlight(() => withRequestMetrics(metrics, request));
const tapped = bytesInFlight(() => tap(noop));
const ours = bytesInFlight(() => withRequestMetrics(metrics, request));

report([
  {
    what: 'bytes allocated per output / per scheduler record / kept per stats-log tick',
    measured: `${perOutput.toFixed(2)} / ${perRecord.toFixed(2)} / ${perTick.toFixed(2)} B`,
    target: '0 (slope < 0.5 B) / 0 / bounded',
    // 20,000 ticks: what the heap itself moves by is up to some 15 bytes of a tick.
    met: perOutput < 0.5 && perRecord < 0.5 && perTick < 64,
  },
  {
    what: 'bytes kept per in-flight request over the same pipeline with `tap(noop)`',
    measured: `${(ours - tapped).toFixed(0)} B (${ours.toFixed(0)} against ${tapped.toFixed(0)})`,
    target: '≤ 0',
    met: ours <= tapped,
  },
]);
