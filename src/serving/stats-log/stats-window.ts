import type { CacheDeltas, EngineInterval } from './stats-engine.js';
import { HitRate } from './stats-hit-rate.js';
import type { StatsLogStats } from './stats-log-entry.js';
import { type EngineIntervals, sum } from './stats-sum.js';
import { mfuOf, specDecodingOf } from './stats-work.js';

/** What needs no memory of earlier intervals. */
function loadOf(engines: EngineIntervals, seconds: number) {
  return {
    promptThroughput: sum(engines, (engine) => engine.promptTokens.value) / seconds,
    generationThroughput: sum(engines, (engine) => engine.generationTokens.value) / seconds,
    numRunning: sum(engines, ({ metrics }) => metrics.numRequestsRunning.value),
    numWaiting: sum(engines, ({ metrics }) => metrics.numRequestsWaiting.value),
    numDeferred: sum(engines, ({ metrics }) => metrics.numRequestsWaitingByReason.deferred.value),
    numPreemptions: sum(engines, (engine) => engine.preemptions.value),
    numCorrupted: sum(engines, (engine) => engine.corrupted.value),
    kvCacheUsage: sum(engines, ({ metrics }) => metrics.kvCacheUsagePerc.value) / engines.length,
  };
}

/** The figures of one interval after the other, and the hit rates that an interval without queries keeps. */
export class StatsWindow {
  readonly #prefixCache = new HitRate();
  readonly #externalPrefixCache = new HitRate();
  readonly #mmCache = new HitRate();

  /** The figures of these engines together, at least one, in an interval that lasted so many seconds. */
  read(engines: EngineIntervals, seconds: number): StatsLogStats {
    const external = hitRate(this.#externalPrefixCache, engines, (engine) => engine.externalPrefixCache);
    const multiModal = hitRate(this.#mmCache, engines, (engine) => engine.mmCache);
    const specDecoding = specDecodingOf(engines, seconds);
    const mfu = mfuOf(engines, seconds);
    const only = engines.length === 1 ? engines[0] : undefined;
    return {
      ...loadOf(engines, seconds),
      prefixCacheHitRate: hitRate(this.#prefixCache, engines, (engine) => engine.prefixCache) ?? 0,
      ...(external !== undefined && { externalPrefixCacheHitRate: external }),
      ...(multiModal !== undefined && { mmCacheHitRate: multiModal }),
      ...(specDecoding !== undefined && { specDecoding }),
      ...(mfu !== undefined && { mfu }),
      ...(only !== undefined && { engineIndex: only.index }),
      numEngines: engines.length,
    };
  }
}

function hitRate(
  rate: HitRate,
  engines: EngineIntervals,
  cacheOf: (engine: EngineInterval) => CacheDeltas,
): number | undefined {
  return rate.update(
    sum(engines, (engine) => cacheOf(engine).queries.value),
    sum(engines, (engine) => cacheOf(engine).hits.value),
  );
}
