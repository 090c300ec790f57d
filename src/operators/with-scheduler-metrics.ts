import { type MonoTypeOperatorFunction, tap } from 'rxjs';
import type { EngineCoreOutputs } from '../engine-core/engine-core-outputs.js';
import { BatchRecorder } from '../serving/scheduler/batch-recorder.js';
import type { ServingMetrics } from '../serving/serving-metrics.js';

/**
 * Records each engine step's scheduler stats, and one iteration-token sample if it has outputs, before it is
 * forwarded unchanged. Engines are resolved at their first step. Nothing throws inside the stream.
 * @see vllm/v1/metrics/loggers.py `PrometheusStatLogger.record`; rust/src/metrics scheduler recorder
 */
export function withSchedulerMetrics<T extends EngineCoreOutputs>(
  metrics: ServingMetrics,
): MonoTypeOperatorFunction<T> {
  const recorder = new BatchRecorder(metrics.core);
  return tap((batch) => recorder.record(batch));
}
