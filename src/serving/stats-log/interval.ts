/** What one engine did between two ticks: counters' growth. */
import type { Counter } from '../../metric/counter.js';
import type { EngineHandles } from '../engines/engine-handles.js';
import type { InstanceEngine } from '../engines/instance-engine.js';

/** What a counter grew by in the last interval; the first one begins at 0. */
export class CounterDelta {
  value = 0;
  readonly #counter: Counter;
  #last = 0;

  constructor(counter: Counter) {
    this.#counter = counter;
  }

  /** True if the counter was reset since the last interval ended. */
  get wentBack(): boolean {
    return this.#counter.value < this.#last;
  }

  /** Ends an interval, which counts from 0 if the counter was reset in it. */
  advance(wasReset: boolean): void {
    const now = this.#counter.value;
    this.value = wasReset ? now : now - this.#last;
    this.#last = now;
  }
}

/**
 * Ends an interval of counters that are divided by each other. One that went back tells that all were reset: another
 * may have passed its old value again, and hits since the reset over queries since the last tick is no rate.
 */
export function advanceTogether(deltas: readonly CounterDelta[]): void {
  const wasReset = deltas.some((delta) => delta.wentBack);
  for (const delta of deltas) delta.advance(wasReset);
}

/** Look-ups in a cache in the last interval. */
export class CacheDeltas {
  readonly queries: CounterDelta;
  readonly hits: CounterDelta;

  constructor(queries: Counter, hits: Counter) {
    this.queries = new CounterDelta(queries);
    this.hits = new CounterDelta(hits);
  }
}

/** What one engine did in the last interval: a reader of its cells. Until it has advanced, all of it is 0. */
export class EngineInterval {
  readonly index: number;
  readonly metrics: EngineHandles;
  readonly promptTokens: CounterDelta;
  readonly generationTokens: CounterDelta;
  readonly preemptions: CounterDelta;
  readonly corrupted: CounterDelta;
  readonly prefixCache: CacheDeltas;
  readonly externalPrefixCache: CacheDeltas;
  readonly mmCache: CacheDeltas;
  readonly drafts: CounterDelta;
  readonly draftedTokens: CounterDelta;
  readonly acceptedTokens: CounterDelta;
  readonly acceptedPerPosition: CounterDelta[] = [];
  readonly flops: CounterDelta;
  readonly readBytes: CounterDelta;
  readonly writeBytes: CounterDelta;
  readonly #engine: InstanceEngine;
  /** Counters of one set are divided by each other, or added up. */
  readonly #sets: readonly (readonly CounterDelta[])[];
  readonly #specDecoding: CounterDelta[];

  constructor(engine: InstanceEngine) {
    const { metrics } = engine;
    this.#engine = engine;
    this.index = engine.index;
    this.metrics = metrics;
    this.promptTokens = new CounterDelta(metrics.promptTokensBySource.localCompute);
    this.generationTokens = new CounterDelta(metrics.generationTokens);
    this.preemptions = new CounterDelta(metrics.numPreemptions);
    this.corrupted = new CounterDelta(metrics.corruptedRequests);
    this.prefixCache = new CacheDeltas(metrics.prefixCacheQueries, metrics.prefixCacheHits);
    this.externalPrefixCache = new CacheDeltas(
      metrics.externalPrefixCacheQueries,
      metrics.externalPrefixCacheHits,
    );
    this.mmCache = new CacheDeltas(metrics.mmCacheQueries, metrics.mmCacheHits);
    this.drafts = new CounterDelta(metrics.specDecodeNumDrafts);
    this.draftedTokens = new CounterDelta(metrics.specDecodeNumDraftTokens);
    this.acceptedTokens = new CounterDelta(metrics.specDecodeNumAcceptedTokens);
    this.flops = new CounterDelta(metrics.estimatedFlopsPerGpu);
    this.readBytes = new CounterDelta(metrics.estimatedReadBytesPerGpu);
    this.writeBytes = new CounterDelta(metrics.estimatedWriteBytesPerGpu);
    this.#specDecoding = [this.drafts, this.draftedTokens, this.acceptedTokens];
    this.#sets = this.#setsOfCounters();
  }

  /** True while the engine is scaled out. */
  get removed(): boolean {
    return this.#engine.shared?.removed ?? false;
  }

  /** Ends an interval. */
  advance(): void {
    const positions = this.metrics.specDecodeNumAcceptedTokensPerPos;
    for (const counter of positions.slice(this.acceptedPerPosition.length)) {
      const delta = new CounterDelta(counter);
      this.acceptedPerPosition.push(delta);
      this.#specDecoding.push(delta);
    }
    for (const set of this.#sets) advanceTogether(set);
  }

  #setsOfCounters(): readonly (readonly CounterDelta[])[] {
    const caches = [this.prefixCache, this.externalPrefixCache, this.mmCache];
    return [
      [this.promptTokens],
      [this.generationTokens],
      [this.preemptions],
      [this.corrupted],
      ...caches.map(({ queries, hits }) => [queries, hits]),
      this.#specDecoding,
      [this.flops, this.readBytes, this.writeBytes],
    ];
  }
}
