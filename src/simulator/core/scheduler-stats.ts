import type { PerfStats, SchedulerStats } from '../../engine-core/scheduler-stats.js';
import type { PerfConfig } from '../config/extras-config.js';
import type { EngineState } from './engine-state.js';
import type { StepPlan } from './step-plan.js';

/** As on the wire: the frontend fills them. Shared, nobody writes to it. */
const NO_ENTRIES: Readonly<Record<string, number>> = {};

/**
 * How an engine stands after a step; takes what was counted since the last stats.
 * `plan` is the step, absent for a batch that no step made.
 */
export function takeSchedulerStats(state: EngineState, plan: StepPlan | undefined): SchedulerStats {
  const { config, pool, connector } = state;
  return {
    numRunningReqs: state.running.length,
    numWaitingReqs: state.waiting.size,
    numSkippedWaitingReqs: state.deferred.size,
    numKvFetchReqsByStage: NO_ENTRIES,
    stepCounter: state.stepCounter,
    currentWave: state.currentWave,
    kvCacheUsage: pool.numUsed / config.numKvBlocks,
    iterationDetails: undefined,
    prefixCacheStats: state.lookUps.take(),
    connectorPrefixCacheStats: connector?.takeLookUps(),
    kvCacheEvictionEvents: pool.takeEvictions(),
    specDecodingStats: state.specDecoder?.take(),
    kvConnectorStats: connector?.takeStats(),
    ecConnectorStats: undefined,
    waitingLoraAdapters: NO_ENTRIES,
    runningLoraAdapters: NO_ENTRIES,
    cudagraphStats: undefined,
    perfStats: config.perfModel && plan && estimatePerf(config.perfModel, plan),
  };
}

/** A step's estimates: two FLOPs a parameter and token, weights and context read once, new KV written. */
function estimatePerf(config: PerfConfig, plan: StepPlan): PerfStats {
  return {
    numFlopsPerGpu: 2 * config.numParameters * plan.numTokens,
    numReadBytesPerGpu:
      config.numParameters * config.bytesPerParameter + config.kvBytesPerToken * plan.numContextTokens,
    numWriteBytesPerGpu: config.kvBytesPerToken * plan.numTokens,
    debugStats: undefined,
  };
}
