/** What one engine did between two ticks: counters' growth. */
import type { Counter } from '../../metric/counter.js';
import type { MetricFamily } from '../../metric/family.js';
import type { CacheResets } from '../engines/cache-resets.js';
import type { EngineHandles } from '../engines/engine-handles.js';
import type { InstanceEngine } from '../engines/instance-engine.js';

/** What a counter grew by in the last interval; the first one begins at 0. */
export class CounterDelta {
  value = 0;
  readonly #counter: Counter;
  readonly #family: MetricFamily | undefined;
  #last = 0;
  #resets = 0;

  /** `family`: the counter's, which knows of resets; undefined where it is on no page. */
  constructor(counter: Counter, family?: MetricFamily) {
    this.#counter = counter;
    this.#family = family;
  }

  /** Ends an interval, which counts from 0 if the counter was reset in it: its value alone does not tell. */
  advance(): void {
    const now = this.#counter.value;
    const { resets = 0 } = this.#family ?? {};
    this.value = resets === this.#resets ? now - this.#last : now;
    this.#resets = resets;
    this.#last = now;
  }

  /** Counts the interval just ended from this value on; one that is above the counter is from before a reset. */
  since(value: number): void {
    if (value <= this.#last) this.value = this.#last - value;
  }
}

/** Look-ups in a cache in the last interval. */
export class CacheDeltas {
  readonly queries: CounterDelta;
  readonly hits: CounterDelta;
  /** True if the cache was emptied in the interval. */
  wasReset = false;
  readonly #resets: CacheResets | undefined;
  #count = 0;

  /** `resets`: when the cache was emptied; undefined for one that nobody empties. */
  constructor(queries: CounterDelta, hits: CounterDelta, resets?: CacheResets) {
    this.queries = queries;
    this.hits = hits;
    this.#resets = resets;
  }

  /** Ends an interval; of a cache that was emptied in it, what came before is left out. */
  advance(): void {
    this.queries.advance();
    this.hits.advance();
    const { count, queries, hits } = this.#resets ?? NEVER_RESET;
    this.wasReset = count !== this.#count;
    this.#count = count;
    if (!this.wasReset) return;
    this.queries.since(queries);
    this.hits.since(hits);
  }
}

const NEVER_RESET = { count: 0, queries: 0, hits: 0 };

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
  readonly #deltas: (CounterDelta | CacheDeltas)[] = [];

  constructor(engine: InstanceEngine) {
    const { metrics, shared } = engine;
    this.#engine = engine;
    this.index = engine.index;
    this.metrics = metrics;
    this.promptTokens = this.#delta(metrics.promptTokensBySource.localCompute);
    this.generationTokens = this.#delta(metrics.generationTokens);
    this.preemptions = this.#delta(metrics.numPreemptions);
    this.corrupted = this.#delta(metrics.corruptedRequests);
    this.prefixCache = this.#cache(
      metrics.prefixCacheQueries,
      metrics.prefixCacheHits,
      shared?.prefixCacheResets,
    );
    this.externalPrefixCache = this.#cache(
      metrics.externalPrefixCacheQueries,
      metrics.externalPrefixCacheHits,
      shared?.externalCacheResets,
    );
    this.mmCache = this.#cache(metrics.mmCacheQueries, metrics.mmCacheHits);
    this.drafts = this.#delta(metrics.specDecodeNumDrafts);
    this.draftedTokens = this.#delta(metrics.specDecodeNumDraftTokens);
    this.acceptedTokens = this.#delta(metrics.specDecodeNumAcceptedTokens);
    this.flops = this.#delta(metrics.estimatedFlopsPerGpu);
    this.readBytes = this.#delta(metrics.estimatedReadBytesPerGpu);
    this.writeBytes = this.#delta(metrics.estimatedWriteBytesPerGpu);
  }

  /** True while the engine is scaled out. */
  get removed(): boolean {
    return this.#engine.shared?.removed ?? false;
  }

  /** Ends an interval. A draft position that is new stood at 0 when it began. */
  advance(): void {
    const positions = this.metrics.specDecodeNumAcceptedTokensPerPos;
    for (const counter of positions.slice(this.acceptedPerPosition.length))
      this.acceptedPerPosition.push(this.#delta(counter));
    for (const delta of this.#deltas) delta.advance();
  }

  #delta(counter: Counter): CounterDelta {
    const delta = new CounterDelta(counter, this.#engine.familyOf(counter));
    this.#deltas.push(delta);
    return delta;
  }

  #cache(queries: Counter, hits: Counter, resets?: CacheResets): CacheDeltas {
    const family = (counter: Counter) => this.#engine.familyOf(counter);
    const deltas = new CacheDeltas(
      new CounterDelta(queries, family(queries)),
      new CounterDelta(hits, family(hits)),
      resets,
    );
    this.#deltas.push(deltas);
    return deltas;
  }
}
