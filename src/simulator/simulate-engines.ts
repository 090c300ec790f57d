import { engineIndexes, wholeNumber } from './checks.js';
import { engineConfig } from './config/engine-config.js';
import { Fleet } from './fleet/fleet.js';
import type { EngineFleet } from './fleet/fleet-types.js';
import type { SimulatorOptions } from './options.js';

/**
 * A fleet of engines that batch continuously, as vLLM's scheduler does, and tell of it in real batches.
 * Deterministic: time is the scheduler's, chance is the seed's. Idle engines schedule nothing.
 * @throws {TypeError|RangeError} at once, for bad options.
 * @see vllm/v1/core/sched/scheduler.py
 */
export function simulateEngines(options: SimulatorOptions): EngineFleet {
  const { scheduler, requests } = options;
  if (typeof scheduler?.schedule !== 'function' || typeof scheduler.now !== 'function')
    throw new TypeError(`scheduler: expected an RxJS scheduler, got ${String(scheduler)}`);
  if (requests !== undefined && typeof requests?.[Symbol.iterator] !== 'function')
    throw new TypeError(`requests: expected an iterable, got ${String(requests)}`);
  wholeNumber('seed', options.seed, Number.MIN_SAFE_INTEGER);
  const mmSize = wholeNumber('multiModalCacheSize', options.multiModalCacheSize ?? 1024, 1);
  return new Fleet(options, engineIndexes(options.engines), engineConfig(options), mmSize);
}
