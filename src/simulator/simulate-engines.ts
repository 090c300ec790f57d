import type { EngineFleet } from './fleet-types.js';
import type { SimulatorOptions } from './options.js';

/**
 * A fleet of engines that batch continuously, as vLLM's scheduler does, and tell of it in real batches.
 * Deterministic: time is the scheduler's, chance is the seed's. Idle engines schedule nothing.
 * @throws {TypeError|RangeError} at once, for bad options.
 * @see vllm/v1/core/sched/scheduler.py
 */
export function simulateEngines(options: SimulatorOptions): EngineFleet {
  throw new Error(`simulateEngines: expected an implementation, got none for seed ${options.seed}`);
}
