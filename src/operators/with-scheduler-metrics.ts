import { type MonoTypeOperatorFunction, tap } from 'rxjs';
import type { EngineCoreOutputs } from '../engine-core/engine-core-outputs.js';
import { BatchRecorder } from '../serving/scheduler/batch-recorder.js';
import type { ServingMetrics } from '../serving/serving-metrics.js';
import { engineCoreOf } from './core-of.js';

/**
 * Records the scheduler stats of each engine step, and one iteration-token sample if the step has outputs, before the
 * step is forwarded unchanged. Engines are resolved at their first step. The same object twice in a row (for another
 * subscriber or instance of the model) counts once, so a source must not reuse one object for all of its steps.
 * Nothing throws inside the stream.
 * @throws {TypeError} at the call if `metrics` is not a `ServingMetrics`.
 * @see vllm/v1/metrics/loggers.py `PrometheusStatLogger.record`; rust/src/metrics scheduler recorder
 */
export function withSchedulerMetrics<T extends EngineCoreOutputs>(
  metrics: ServingMetrics,
): MonoTypeOperatorFunction<T> {
  const recorder = new BatchRecorder(engineCoreOf('withSchedulerMetrics', metrics));
  return tap((batch) => recorder.record(batch));
}
