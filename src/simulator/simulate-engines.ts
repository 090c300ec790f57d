import { assertMember, printed, wholeNumber } from '../serving/checks.js';
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
  const schedules = typeof scheduler?.schedule === 'function' && typeof scheduler.now === 'function';
  assertMember('scheduler', scheduler, 'an RxJS scheduler', schedules);
  const iterates = requests === undefined || typeof requests?.[Symbol.iterator] === 'function';
  assertMember('requests', requests, 'an iterable', iterates);
  wholeNumber('seed', options.seed, Number.MIN_SAFE_INTEGER);
  const mmSize = wholeNumber('multiModalCacheSize', options.multiModalCacheSize ?? 1024, 1);
  return new Fleet(options, engineIndexes(options.engines), engineConfig(options), mmSize);
}

/** The indexes that `engines` stands for. @throws {TypeError|RangeError} unless distinct and at least one. */
function engineIndexes(engines: number | readonly number[]): readonly number[] {
  if (!Array.isArray(engines)) {
    assertMember('engines', engines, 'a number or a list of indexes', typeof engines === 'number');
    return Array.from({ length: wholeNumber('engines', engines, 1) }, (_, index) => index);
  }
  const indexes = engines.map((index) => wholeNumber('engines', index));
  if (indexes.length > 0 && new Set(indexes).size === indexes.length) return indexes;
  throw new RangeError(`engines: expected at least one index, each once, got [${printed(engines)}]`);
}
