export { DuplicateRequestIdError, RequestStreamClosedError } from './engine-core/errors.js';
export { type OpenOptions, OutputRouter } from './engine-core/output-router.js';
export { EngineCoreOutputStream, tagEngine } from './engine-core/tag-engine.js';
export type { CounterHandle } from './metric/counter.js';
export type { GaugeHandle } from './metric/gauge.js';
export type { HistogramHandle } from './metric/histogram.js';
export { type StatsLogOptions, statsLog } from './operators/stats-log.js';
export { withRequestMetrics } from './operators/with-request-metrics.js';
export { withSchedulerMetrics } from './operators/with-scheduler-metrics.js';
export type { PromRegistry } from './prom/prom-client.js';
export { metricsChunks, renderMetrics } from './prom/render.js';
export type { BucketFamilies } from './serving/default-buckets.js';
export type { DiagnosticSource, MetricsDiagnostic } from './serving/diagnostics.js';
export type * from './serving/engine-core.js';
export type { EngineMetrics } from './serving/engine-metrics.js';
export type { FinishedRequestStats } from './serving/finished-request.js';
export type { MultiModalCacheStats } from './serving/multi-modal-cache.js';
export type { ServingMetricsOptions } from './serving/options.js';
export { ParallelSampling } from './serving/parallel-sampling.js';
export type { RequestInfo } from './serving/request-info.js';
export { ServingMetrics, type SleepState } from './serving/serving-metrics.js';
export { formatStatsLog } from './serving/stats-format.js';
export type {
  StatsLogEntry,
  StatsLogMfu,
  StatsLogSpecDecoding,
  StatsLogStats,
} from './serving/stats-log-entry.js';
