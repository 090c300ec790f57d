import {
  asyncScheduler,
  concatMap,
  defer,
  endWith,
  ignoreElements,
  interval,
  merge,
  type Observable,
  type SchedulerLike,
  takeUntil,
  tap,
} from 'rxjs';
import { printed } from '../serving/checks.js';
import type { ServingMetrics } from '../serving/serving-metrics.js';
import type { StatsLogEntry } from '../serving/stats-log/entry.js';
import { StatsReader } from '../serving/stats-log/reader.js';
import { engineCoreOf } from './core-of.js';

/** Options of {@link statsLog}. */
export interface StatsLogOptions {
  /** Milliseconds between two ticks; 10,000 by default. */
  readonly every?: number | undefined;
  /** Provides the ticks and the time; RxJS's `asyncScheduler` by default. */
  readonly scheduler?: SchedulerLike | undefined;
  /** One entry for each engine at every tick, instead of one over all engines. */
  readonly perEngine?: boolean | undefined;
}

/** The longest delay of a timer: with a longer one Node fires at once, and again every millisecond. */
const LONGEST = 2 ** 31 - 1;

function assertEvery(every: unknown): asserts every is number {
  const expected = `statsLog.every: expected milliseconds above 0 and at most ${LONGEST}`;
  if (typeof every !== 'number') throw new TypeError(`${expected}, got ${printed(every)}`);
  if (!(every > 0 && every <= LONGEST)) throw new RangeError(`${expected}, got ${every}`);
}

function assertScheduler(scheduler: Partial<SchedulerLike> | null): void {
  if (typeof scheduler?.schedule !== 'function' || typeof scheduler.now !== 'function') {
    throw new TypeError(
      `statsLog.scheduler: expected an object with schedule() and now(), got ${printed(scheduler)}`,
    );
  }
}

function assertOptions(options: StatsLogOptions): void {
  if (typeof options !== 'object' || options === null) {
    throw new TypeError(`statsLog.options: expected an object, got ${printed(options)}`);
  }
  const { every, scheduler, perEngine } = options;
  if (every !== undefined) assertEvery(every);
  if (scheduler !== undefined) assertScheduler(scheduler);
  if (perEngine !== undefined && typeof perEngine !== 'boolean') {
    throw new TypeError(`statsLog.perEngine: expected a boolean, got ${printed(perEngine)}`);
  }
}

/**
 * vLLM's periodic text log: at every tick, what the engines did since the previous one, as figures and as lines. Rates
 * use the time that passed on the scheduler's clock, so they stay right when a tick is late or skipped. The log reads
 * the metrics' cells and adds no cost to the recording of a token. Each subscription has its own ticks and rates, which
 * start with it. An engine that appears later counts from 0, a removed one leaves the log, and a tick without engines
 * makes no entry. The log completes when the metrics are disposed. Like any RxJS interval on `asyncScheduler`, it keeps
 * a Node process alive while it is subscribed.
 * @throws {TypeError | RangeError} at the call on a bad option.
 * @see vllm/v1/metrics/loggers.py `LoggingStatLogger`, `AggregatedLoggingStatLogger`; rust/src/metrics `StatsLogger`
 */
export function statsLog(metrics: ServingMetrics, options: StatsLogOptions = {}): Observable<StatsLogEntry> {
  const core = engineCoreOf('statsLog', metrics, options);
  assertOptions(options);
  const { every = 10_000, scheduler = asyncScheduler, perEngine = false } = options;
  return defer(() => {
    const reader = new StatsReader(core, { perEngine, every, now: scheduler.now() });
    const entries = interval(every, scheduler).pipe(concatMap(() => reader.read(scheduler.now())));
    const newEngines = core.newEngines.pipe(
      tap((engine) => reader.add(engine)),
      ignoreElements(),
    );
    return merge(newEngines, entries);
  }).pipe(takeUntil(core.disposals.pipe(endWith(undefined))));
}
