import type { EngineCoreOutput, EngineCoreOutputs } from '../../engine-core/engine-core-outputs.js';
import type { SchedulerStats } from '../../engine-core/scheduler-stats.js';

/** One step's batch, every field written in one order. `timestamp` in seconds, engine clock. */
export function coreBatch(
  engineIndex: number,
  outputs: readonly EngineCoreOutput[],
  schedulerStats: SchedulerStats | undefined,
  timestamp: number,
  finishedRequests: readonly string[] | undefined,
  waveComplete: number | undefined,
): EngineCoreOutputs {
  return {
    engineIndex,
    outputs,
    schedulerStats,
    timestamp,
    utilityOutput: undefined,
    finishedRequests,
    waveComplete,
    startWave: undefined,
  };
}
