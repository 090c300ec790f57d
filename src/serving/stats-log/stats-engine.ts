import type { CounterHandle } from '../../metric/counter.js';
import type { EngineMetrics } from '../engines/engine-metrics.js';
import type { EngineSlot } from '../engines/engine-slot.js';
import { advanceTogether, CounterDelta } from './stats-counter-delta.js';

/** Look-ups in a cache in the last interval. */
export class CacheDeltas {
  readonly queries: CounterDelta;
  readonly hits: CounterDelta;

  constructor(queries: CounterHandle, hits: CounterHandle) {
    this.queries = new CounterDelta(queries);
    this.hits = new CounterDelta(hits);
  }
}

/** What one engine did in the last interval: a reader of its cells. Until it has advanced, all of it is 0. */
export class EngineInterval {
  readonly index: number;
  readonly metrics: EngineMetrics;
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
  readonly #slot: EngineSlot;
  /** Counters of one set are divided by each other, or added up. */
  readonly #sets: readonly (readonly CounterDelta[])[];
  readonly #specDecoding: CounterDelta[];

  constructor(slot: EngineSlot) {
    const { metrics } = slot;
    this.#slot = slot;
    this.index = slot.index;
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
    return this.#slot.state?.removed ?? false;
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
