import { Registry } from 'prom-client';
import { VirtualTimeScheduler } from 'rxjs';
import {
  type EngineMetrics,
  ServingMetrics,
  type StatsLogEntry,
  type StatsLogOptions,
  statsLog,
} from '../../src/index.js';

/** A subscribed stats log in virtual time, and what it reads. */
export interface LogRun {
  readonly registry: Registry;
  readonly metrics: ServingMetrics;
  engine(index: number): EngineMetrics;
  /** Runs virtual time up to `ms` and gives what the log said on the way. */
  until(ms: number): StatsLogEntry[];
  /** From now on the scheduler's clock is `ms` ahead of its timers: ticks run late. */
  lag(ms: number): void;
  completed(): boolean;
}

/** Engine handles count as soon as they are touched, so `before` is what happened ahead of the subscription. */
export function runLog(
  engines: readonly number[],
  options: StatsLogOptions = {},
  before: (metrics: ServingMetrics) => void = () => {},
): LogRun {
  const registry = new Registry();
  const metrics = new ServingMetrics({ registry, modelName: 'm', engines });
  const timers = new VirtualTimeScheduler(undefined, 0);
  let ahead = 0;
  timers.now = () => timers.frame + ahead;
  before(metrics);
  let said: StatsLogEntry[] = [];
  let completed = false;
  statsLog(metrics, { scheduler: timers, ...options }).subscribe({
    next: (entry) => said.push(entry),
    complete: () => {
      completed = true;
    },
  });
  return {
    registry,
    metrics,
    engine: (index) => metrics.forEngine(index),
    until(ms) {
      said = [];
      timers.maxFrames = ms;
      timers.flush();
      return said;
    },
    lag(ms) {
      ahead = ms;
    },
    completed: () => completed,
  };
}
