export type * from './engine-core/engine-core-event.js';
export type * from './engine-core/engine-core-outputs.js';
export type * from './engine-core/optional.js';
export type * from './engine-core/scheduler-stats.js';
export type { CounterHandle, GaugeHandle, HistogramHandle } from './metric/public-handles.js';
export { type StatsLogOptions, statsLog } from './operators/stats-log.js';
export { withRequestMetrics } from './operators/with-request-metrics.js';
export { withSchedulerMetrics } from './operators/with-scheduler-metrics.js';
export { aggregateMetrics } from './prom/aggregate.js';
export { metricsChunks, type RenderOptions, renderMetrics } from './prom/page/render.js';
export type { PromRegistry } from './prom/prom-client.js';
export {
  DuplicateRequestIdError,
  RequestStreamClosedError,
  SecondSubscriptionError,
} from './router/errors.js';
export { type OpenOptions, OutputRouter } from './router/output-router.js';
export { EngineCoreOutputStream, tagEngine } from './router/tag-engine.js';
export type { BucketFamilies } from './serving/catalog/default-buckets.js';
export type { DiagnosticSource, MetricsDiagnostic } from './serving/diagnostics.js';
export type { EngineMetrics } from './serving/engines/engine-metrics.js';
export type { EngineTimings, FinishedRequestStats } from './serving/finished-request-stats.js';
export { type ModelPoolOptions, modelPool } from './serving/model-pool.js';
export type { ServingMetricsOptions } from './serving/options.js';
export type { Profile } from './serving/profile.js';
export type { TokenSource } from './serving/recording-context.js';
export { ParallelSampling } from './serving/request/parallel-sampling.js';
export type { RequestHandle, RequestUsage } from './serving/request/request-handle.js';
export type { RequestInfo } from './serving/request/request-info.js';
export type { MultiModalCacheStats } from './serving/scheduler/multi-modal-cache.js';
export { ServingMetrics, type SleepState } from './serving/serving-metrics.js';
export type {
  StatsLogEntry,
  StatsLogMfu,
  StatsLogSpecDecoding,
  StatsLogStats,
} from './serving/stats-log/entry.js';
export { formatStatsLog } from './serving/stats-log/format.js';
