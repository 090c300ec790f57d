import type { PerfStats } from '../../engine-core/scheduler-stats.js';
import { positiveNumber } from '../checks.js';
import type { StepPlan } from '../core/step-plan.js';
import type { PerfModelOptions } from '../options.js';

/** {@link PerfModelOptions} with defaults. */
export interface PerfConfig {
  readonly numParameters: number;
  readonly bytesPerParameter: number;
  readonly kvBytesPerToken: number;
}

/** @throws {RangeError} naming the option. */
export function perfConfig(options: PerfModelOptions): PerfConfig {
  return {
    numParameters: positiveNumber('perfModel.numParameters', options.numParameters ?? 8e9),
    bytesPerParameter: positiveNumber('perfModel.bytesPerParameter', options.bytesPerParameter ?? 2),
    kvBytesPerToken: positiveNumber('perfModel.kvBytesPerToken', options.kvBytesPerToken ?? 131_072),
  };
}

/** A step's estimates: two FLOPs a parameter and token, weights and context read once, new KV written. */
export function estimatePerf(config: PerfConfig, plan: StepPlan): PerfStats {
  return {
    numFlopsPerGpu: 2 * config.numParameters * plan.numTokens,
    numReadBytesPerGpu:
      config.numParameters * config.bytesPerParameter + config.kvBytesPerToken * plan.numContextTokens,
    numWriteBytesPerGpu: config.kvBytesPerToken * plan.numTokens,
    debugStats: undefined,
  };
}
