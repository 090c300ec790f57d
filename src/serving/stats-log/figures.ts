/** The figures of one interval, of one engine or of several together. */
import type { StatsLogMfu, StatsLogSpecDecoding, StatsLogStats } from './entry.js';
import type { CacheDeltas, EngineInterval } from './interval.js';

/** The engines of one entry. */
type EngineIntervals = readonly EngineInterval[];

/** A figure added up over engines. */
function sum(engines: EngineIntervals, figureOf: (engine: EngineInterval) => number): number {
  let total = 0;
  for (const engine of engines) total += figureOf(engine);
  return total;
}

/** A cache's hit rate, 0 to 1, of the last interval that had queries; undefined before the first. */
export class HitRate {
  value: number | undefined;

  /** The cache was emptied: what it had is no rate of it any more. A rate that was shown stays on the line, as 0. */
  forget(): void {
    if (this.value !== undefined) this.value = 0;
  }

  /** Ends an interval; one without queries keeps the rate, so that an idle tick does not read as a collapse. */
  update(queries: number, hits: number): number | undefined {
    // An engine that counts more hits than queries is broken, and a fraction above 1 would say so of the log.
    if (queries > 0) this.value = Math.min(hits / queries, 1);
    return this.value;
  }
}

/**
 * Speculative decoding in an interval of so many seconds; undefined without drafts.
 * @see vllm/v1/spec_decode/metrics.py `SpecDecodingLogging.log`
 */
function specDecodingOf(engines: EngineIntervals, seconds: number): StatsLogSpecDecoding | undefined {
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

/**
 * Estimated work in an interval of so many seconds, the mean over engines; undefined if the estimates did not move.
 * @see vllm/v1/metrics/perf.py `PerfMetricsLogging.log`; rust/src/metrics `StatsLogger`
 */
function mfuOf(engines: EngineIntervals, seconds: number): StatsLogMfu | undefined {
  const flops = sum(engines, (engine) => engine.flops.value);
  const bytes = sum(engines, (engine) => engine.readBytes.value + engine.writeBytes.value);
  if (flops === 0 && bytes === 0) return undefined;
  return {
    tflopsPerGpu: flops / engines.length / seconds / 1e12,
    gbytesPerSecondPerGpu: bytes / engines.length / seconds / 1e9,
  };
}

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
export class IntervalFigures {
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
  if (engines.some((engine) => cacheOf(engine).wasReset)) rate.forget();
  return rate.update(
    sum(engines, (engine) => cacheOf(engine).queries.value),
    sum(engines, (engine) => cacheOf(engine).hits.value),
  );
}
