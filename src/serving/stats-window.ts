import type { CacheDeltas, EngineInterval } from './stats-engine.js';
import { HitRate } from './stats-hit-rate.js';
import type { StatsLogMfu, StatsLogSpecDecoding, StatsLogStats } from './stats-log-entry.js';

type Engines = readonly EngineInterval[];

function sum(engines: Engines, figureOf: (engine: EngineInterval) => number): number {
  let total = 0;
  for (const engine of engines) total += figureOf(engine);
  return total;
}

function specDecodingOf(engines: Engines, seconds: number): StatsLogSpecDecoding | undefined {
  const drafts = sum(engines, (engine) => engine.drafts.value);
  if (drafts === 0) return undefined;
  const acceptedTokens = sum(engines, (engine) => engine.acceptedTokens.value);
  const draftedTokens = sum(engines, (engine) => engine.draftedTokens.value);
  const numPositions = Math.max(...engines.map((engine) => engine.acceptedPerPosition.length));
  return {
    meanAcceptanceLength: 1 + acceptedTokens / drafts,
    acceptedThroughput: acceptedTokens / seconds,
    draftedThroughput: draftedTokens / seconds,
    acceptedTokens,
    draftedTokens,
    perPositionAcceptanceRates: Array.from(
      { length: numPositions },
      (_, position) => sum(engines, (engine) => engine.acceptedPerPosition[position]?.value ?? 0) / drafts,
    ),
    draftAcceptanceRate: draftedTokens > 0 ? acceptedTokens / draftedTokens : Number.NaN,
  };
}

function mfuOf(engines: Engines, seconds: number): StatsLogMfu | undefined {
  const flops = sum(engines, (engine) => engine.flops.value);
  const bytes = sum(engines, (engine) => engine.readBytes.value + engine.writeBytes.value);
  if (flops === 0 && bytes === 0) return undefined;
  return {
    tflopsPerGpu: flops / engines.length / seconds / 1e12,
    gbytesPerSecondPerGpu: bytes / engines.length / seconds / 1e9,
  };
}

/** What the last tick's figures leave to the next ones: hit rates that are kept. */
export class StatsWindow {
  readonly #prefixCache = new HitRate();
  readonly #externalPrefixCache = new HitRate();
  readonly #mmCache = new HitRate();

  /** The figures of these engines together, at least one, for an interval that lasted so many seconds. */
  read(engines: Engines, seconds: number): StatsLogStats {
    const external = this.#hitRate(
      this.#externalPrefixCache,
      engines,
      (engine) => engine.externalPrefixCache,
    );
    const multiModal = this.#hitRate(this.#mmCache, engines, (engine) => engine.mmCache);
    const specDecoding = specDecodingOf(engines, seconds);
    const mfu = mfuOf(engines, seconds);
    const only = engines.length === 1 ? engines[0] : undefined;
    return {
      promptThroughput: sum(engines, (engine) => engine.promptTokens.value) / seconds,
      generationThroughput: sum(engines, (engine) => engine.generationTokens.value) / seconds,
      numRunning: sum(engines, ({ metrics }) => metrics.numRequestsRunning.value),
      numWaiting: sum(engines, ({ metrics }) => metrics.numRequestsWaiting.value),
      numDeferred: sum(engines, ({ metrics }) => metrics.numRequestsWaitingByReason.deferred.value),
      numPreemptions: sum(engines, (engine) => engine.preemptions.value),
      numCorrupted: sum(engines, (engine) => engine.corrupted.value),
      kvCacheUsage: sum(engines, ({ metrics }) => metrics.kvCacheUsagePerc.value) / engines.length,
      prefixCacheHitRate: this.#hitRate(this.#prefixCache, engines, (engine) => engine.prefixCache) ?? 0,
      ...(external !== undefined && { externalPrefixCacheHitRate: external }),
      ...(multiModal !== undefined && { mmCacheHitRate: multiModal }),
      ...(specDecoding !== undefined && { specDecoding }),
      ...(mfu !== undefined && { mfu }),
      ...(only !== undefined && { engineIndex: only.index }),
      numEngines: engines.length,
    };
  }

  #hitRate(
    rate: HitRate,
    engines: Engines,
    cacheOf: (engine: EngineInterval) => CacheDeltas,
  ): number | undefined {
    return rate.update(
      sum(engines, (engine) => cacheOf(engine).queries.value),
      sum(engines, (engine) => cacheOf(engine).hits.value),
    );
  }
}
