/** One engine as one instance knows it. */

import type { CellRange } from '../../metric/cell-slabs.js';
import type { Counter } from '../../metric/counter.js';
import type { Handle } from '../../metric/handle.js';
import { MooncakeHandles, NixlHandles } from './connector-handles.js';
import { EngineHandles } from './engine-handles.js';
import { ModelEngine, type StateSeries } from './model-engine.js';
import type { ServedModel } from './registry-models.js';
import type { SeriesHolder } from './series-holder.js';

function stateSeries(metrics: EngineHandles, holder: SeriesHolder): StateSeries {
  const held = (...handles: readonly Handle[]) => handles.map((handle) => holder.seriesOf(handle)!);
  const { capacity, deferred } = metrics.numRequestsWaitingByReason;
  const { awake, weightsOffloaded, discardAll } = metrics.engineSleepState;
  return {
    scheduler: held(
      metrics.numRequestsRunning,
      metrics.numRequestsWaiting,
      capacity,
      deferred,
      metrics.kvCacheUsagePerc,
    ),
    sleep: held(awake, weightsOffloaded, discardAll),
    inFlight: holder.seriesOf(metrics.requestsInFlight)!,
  };
}

/** Where the two series stand that every token moves; an own struct, so that a request's recorder loads it once. */
export interface TokenCells {
  readonly generationTokens: CellRange;
  readonly interTokenLatency: CellRange;
}

function tokenCells(metrics: EngineHandles, holder: SeriesHolder): TokenCells {
  const rangeOf = (handle: Handle): CellRange =>
    holder.seriesOf(handle)?.series.range ?? { slab: handle.cells, at: 0 };
  return {
    generationTokens: rangeOf(metrics.generationTokens),
    interTokenLatency: rangeOf(metrics.interTokenLatencySeconds),
  };
}

export class InstanceEngine {
  readonly index: number;
  readonly metrics: EngineHandles;
  /** What the model's instances share; undefined in a disposed one: nothing of it is on a page. */
  shared: ModelEngine | undefined;
  readonly tokenCells: TokenCells;
  readonly nixl: NixlHandles;
  readonly mooncake: MooncakeHandles;
  /** This instance's share of the in-flight gauge. */
  inFlight = 0;
  readonly #holder: SeriesHolder;
  #otherTier: Counter | undefined;

  constructor(index: number, holder: SeriesHolder, model: ServedModel | undefined) {
    this.index = index;
    this.#holder = holder;
    this.metrics = new EngineHandles(holder, index);
    this.tokenCells = tokenCells(this.metrics, holder);
    this.nixl = new NixlHandles(holder, index);
    this.mooncake = new MooncakeHandles(holder, index);
    this.shared = model && this.#join(model);
  }

  /** Sets the scheduler gauges to idle. */
  idle(): void {
    const { numRequestsRunning, numRequestsWaiting, numRequestsWaitingByReason, kvCacheUsagePerc } =
      this.metrics;
    numRequestsRunning.set(0);
    numRequestsWaiting.set(0);
    numRequestsWaitingByReason.capacity.set(0);
    numRequestsWaitingByReason.deferred.set(0);
    kvCacheUsagePerc.set(0);
  }

  requestStarted(): void {
    this.#moveInFlight(1);
    this.shared?.requestStarted();
  }

  requestEnded(): void {
    if (this.inFlight === 0) return; // the instance was disposed meanwhile
    this.#moveInFlight(-1);
    this.shared?.requestEnded();
  }

  /** Takes this instance's live requests off the gauge and gives the engine up, before its handles go quiet. */
  leave(model: ServedModel): void {
    this.#moveInFlight(-this.inFlight);
    const { shared } = this;
    if (shared === undefined) return;
    this.shared = undefined; // what this instance is told from now on is none of the others' business
    shared.requestEnded();
    shared.users--;
    if (shared.users === 0) model.engines.delete(this.index);
  }

  /** The counter of a draft position, made at its first use together with those before it. */
  draftPosition(position: number): Counter {
    const handles = this.metrics.specDecodeNumAcceptedTokensPerPos;
    while (handles.length <= position) {
      const made = String(handles.length);
      handles.push(this.#holder.counter('specDecodeNumAcceptedTokensPerPos', String(this.index), made));
    }
    return handles[position]!;
  }

  /** The counter for cached tokens of a tier that this version does not know. */
  otherTier(): Counter {
    this.#otherTier ??= this.#holder.counter('promptTokensCachedBySource', String(this.index), 'other');
    return this.#otherTier;
  }

  #moveInFlight(by: number): void {
    this.inFlight += by;
    const { requestsInFlight } = this.metrics;
    requestsInFlight.put(requestsInFlight.value + by);
  }

  #join(model: ServedModel): ModelEngine {
    let shared = model.engines.get(this.index);
    if (shared === undefined) {
      shared = new ModelEngine(this.index, stateSeries(this.metrics, this.#holder));
      model.engines.set(this.index, shared);
    }
    shared.users++;
    return shared;
  }
}
