import type { SchedulerLike } from 'rxjs';
import type { EngineConfig } from '../config/engine-config.js';
import { type EngineHost, SimulatedEngine } from '../core/simulated-engine.js';
import type { EngineSnapshot } from './fleet-types.js';

/** vLLM's weight of a waiting request against a running one. @see vllm/v1/engine/core_client.py */
const WAITING_WEIGHT = 4;

/** A fleet's engines: found by index, or by load. */
export class EngineGroup {
  readonly engines: readonly SimulatedEngine[];
  readonly #byIndex = new Map<number, SimulatedEngine>();
  #lastChosen = -1;

  constructor(
    indexes: readonly number[],
    config: EngineConfig,
    seed: number,
    scheduler: SchedulerLike,
    host: EngineHost,
  ) {
    this.engines = indexes.map((index) => new SimulatedEngine(index, config, seed, scheduler, host));
    for (const engine of this.engines) this.#byIndex.set(engine.index, engine);
  }

  /** @throws {RangeError} for an unknown index. */
  get(index: number): SimulatedEngine {
    const engine = this.#byIndex.get(index);
    if (engine !== undefined) return engine;
    const known = [...this.#byIndex.keys()].join(', ');
    throw new RangeError(`engineIndex: expected one of ${known}, got ${String(index)}`);
  }

  /** Equal loads take turns. */
  leastLoaded(): SimulatedEngine {
    const count = this.engines.length;
    let chosen = (this.#lastChosen + 1) % count;
    for (let i = 1; i < count; i++) {
      const candidate = (this.#lastChosen + 1 + i) % count;
      if (loadOf(this.engines[candidate]!) < loadOf(this.engines[chosen]!)) chosen = candidate;
    }
    this.#lastChosen = chosen;
    return this.engines[chosen]!;
  }

  hasLive(requestId: string): boolean {
    return this.engines.some((engine) => engine.state.live.has(requestId));
  }

  get areIdle(): boolean {
    return this.engines.every((engine) => engine.isIdle);
  }

  stop(): void {
    for (const engine of this.engines) engine.stop();
  }
}

/** How an engine stands now. */
export function snapshotOf({ index, state }: SimulatedEngine): EngineSnapshot {
  return {
    engineIndex: index,
    numRunning: state.running.length,
    numWaiting: state.waiting.size,
    numDeferred: state.deferred.size,
    numKvBlocks: state.config.numKvBlocks,
    numUsedKvBlocks: state.pool.numUsed,
    numCachedKvBlocks: state.pool.numIdleCached,
    numPreemptions: state.numPreemptions,
  };
}

function loadOf({ state }: SimulatedEngine): number {
  return WAITING_WEIGHT * (state.waiting.size + state.deferred.size) + state.running.length;
}
