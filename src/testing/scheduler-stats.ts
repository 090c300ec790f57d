import type { SchedulerStats } from '../engine-core/scheduler-stats.js';

/** Builds scheduler stats with every field; those of `partial` replace the wire's defaults. */
export function schedulerStats(partial: SchedulerStats = {}): SchedulerStats {
  return {
    numRunningReqs: 0,
    numWaitingReqs: 0,
    numSkippedWaitingReqs: 0,
    numKvFetchReqsByStage: undefined,
    stepCounter: 0,
    currentWave: 0,
    kvCacheUsage: 0,
    iterationDetails: undefined,
    prefixCacheStats: undefined,
    connectorPrefixCacheStats: undefined,
    kvCacheEvictionEvents: undefined,
    specDecodingStats: undefined,
    kvConnectorStats: undefined,
    ecConnectorStats: undefined,
    waitingLoraAdapters: undefined,
    runningLoraAdapters: undefined,
    cudagraphStats: undefined,
    perfStats: undefined,
    ...partial,
  };
}
