/** One scheduler record, and one tick of the stats log. */
import { deepStrictEqual } from 'node:assert';
import { Registry } from 'prom-client';
import { ServingCore } from '../../src/serving/engines/serving-core.js';
import { resolveOptions } from '../../src/serving/options.js';
import { SchedulerRecorder } from '../../src/serving/scheduler/scheduler-recorder.js';
import { ServingMetrics } from '../../src/serving/serving-metrics.js';
import { StatsReader } from '../../src/serving/stats-log/reader.js';
import { ns, pairedRounds, report, spreadOf, timed, times } from './harness.js';
import { KeptScheduler, STATS, writePlainly } from './workloads/scheduler-workload.js';

type Kind = 'ours' | 'plain' | 'kept';
const RECORDS: Record<Kind, number> = { ours: 20_000, plain: 20_000, kept: 1_000 };

const core = new ServingCore(resolveOptions({ registry: new Registry(), modelName: 'm', engines: [0] }));
const recorder = new SchedulerRecorder(core.engine(0), core.diagnostics);
const plain = new ServingCore(
  resolveOptions({ registry: new Registry(), modelName: 'm', engines: [0] }),
).engine(0);
for (let i = 0; i < 4; i++) plain.draftPosition(i);
const kept = new KeptScheduler(new Registry());

const RUN: Record<Kind, (records: number) => void> = {
  ours: (records) => {
    for (let i = 0; i < records; i++) recorder.record(STATS[i & 15]!);
  },
  plain: (records) => {
    for (let i = 0; i < records; i++) writePlainly(plain.metrics, STATS[i & 15]!);
  },
  kept: (records) => {
    for (let i = 0; i < records; i++) kept.record(STATS[i & 15]!);
  },
};

const figures = pairedRounds<Kind>(
  ['ours', 'plain', 'kept'],
  { warmUp: 30, measured: 151 },
  (kind) => timed(() => RUN[kind](RECORDS[kind])) / RECORDS[kind],
);
const { metrics } = core.engine(0);
deepStrictEqual(metrics.specDecodeNumDrafts.value, plain.metrics.specDecodeNumDrafts.value);
deepStrictEqual(metrics.estimatedFlopsPerGpu.value, plain.metrics.estimatedFlopsPerGpu.value);
deepStrictEqual(metrics.numRequestsWaiting.value, plain.metrics.numRequestsWaiting.value);

/** Nanoseconds of each tick of the stats log over `engines` engines that all moved. */
function statsLogTicks(engines: number): number[] {
  const indexes = Array.from({ length: engines }, (_, i) => i);
  const serving = new ServingMetrics({ registry: new Registry(), modelName: 'm', engines: indexes });
  const reader = new StatsReader(serving.core, { perEngine: false, every: 1000, now: 0 });
  const ticks = Array.from({ length: 1_000 }, (_, tick) => {
    for (const engine of indexes) serving.forEngine(engine).generationTokens.inc(7);
    return timed(() => reader.read(tick * 1000));
  });
  return ticks.slice(300);
}

const overPlain = figures.ratio('ours', 'plain');
const underKept = figures.ratio('kept', 'ours');
const own = figures.of('ours');
report([
  {
    what: 'one scheduler record (four draft positions, MFU) against plain unvalidated writes',
    measured: `${times(overPlain)}; ${ns(own)} against ${ns(figures.of('plain'))}`,
    target: '≤ 2.5 ×, ≤ 100 ns',
    met: overPlain.median <= 2.5 && own.median <= 100,
  },
  {
    what: 'the same through kept prom-client handles, against ours',
    measured: `${times(underKept, 0)}; ${ns(figures.of('kept'), 0)}`,
    target: '≥ 20 ×',
    met: underKept.median >= 20,
  },
  {
    what: 'one tick of the stats log, 1 engine / 64 engines',
    measured: `${ns(spreadOf(statsLogTicks(1)), 0)} / ${ns(spreadOf(statsLogTicks(64)), 0)}`,
    target: 'shown',
    met: undefined,
  },
]);
