/** One engine as one instance knows it. */

import type { CellRange } from '../../metric/cell-slabs.js';
import type { CounterHandle } from '../../metric/counter.js';
import type { Handle } from '../../metric/handle.js';
import { MooncakeHandles, NixlHandles } from './connector-handles.js';
import { EngineMetrics } from './engine-metrics.js';
import { EngineState, type StateSeries } from './engine-state.js';
import type { ModelState } from './registry-state.js';
import type { SeriesHolder } from './series-holder.js';

function stateSeries(metrics: EngineMetrics, holder: SeriesHolder): StateSeries {
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

function tokenCells(metrics: EngineMetrics, holder: SeriesHolder): TokenCells {
  const rangeOf = (handle: Handle): CellRange =>
    holder.seriesOf(handle)?.series.range ?? { slab: handle.cells, at: 0 };
  return {
    generationTokens: rangeOf(metrics.generationTokens),
    interTokenLatency: rangeOf(metrics.interTokenLatencySeconds),
  };
}

export class EngineSlot {
  readonly index: number;
  readonly metrics: EngineMetrics;
  /** Undefined in a disposed instance: nothing of it is on a page. */
  state: EngineState | undefined;
  readonly tokenCells: TokenCells;
  readonly nixl: NixlHandles;
  readonly mooncake: MooncakeHandles;
  /** This instance's share of the in-flight gauge. */
  inFlight = 0;
  readonly #holder: SeriesHolder;
  #otherTier: CounterHandle | undefined;

  constructor(index: number, holder: SeriesHolder, model: ModelState | undefined) {
    this.index = index;
    this.#holder = holder;
    this.metrics = new EngineMetrics(holder, index);
    this.tokenCells = tokenCells(this.metrics, holder);
    this.nixl = new NixlHandles(holder, index);
    this.mooncake = new MooncakeHandles(holder, index);
    this.state = model && this.#join(model);
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
    this.inFlight++;
    this.metrics.requestsInFlight.cells[0]! += 1;
    this.state?.requestStarted();
  }

  requestEnded(): void {
    if (this.inFlight === 0) return; // the instance was disposed meanwhile
    this.inFlight--;
    this.metrics.requestsInFlight.cells[0]! -= 1;
    if (this.state?.removed) this.state.requestEnded();
  }

  /** Takes this instance's live requests off the gauge and gives the engine up, before its handles go quiet. */
  leave(model: ModelState): void {
    this.metrics.requestsInFlight.cells[0]! -= this.inFlight;
    this.inFlight = 0;
    const { state } = this;
    if (state === undefined) return;
    this.state = undefined; // what this instance is told from now on is none of the others' business
    state.requestEnded();
    state.users--;
    if (state.users === 0) model.engines.delete(this.index);
  }

  /** The counter of a draft position, made at its first use together with those before it. */
  draftPosition(position: number): CounterHandle {
    const handles = this.metrics.specDecodeNumAcceptedTokensPerPos;
    while (handles.length <= position) {
      const made = String(handles.length);
      handles.push(this.#holder.counter('specDecodeNumAcceptedTokensPerPos', String(this.index), made));
    }
    return handles[position]!;
  }

  /** The counter for cached tokens of a tier that this version does not know. */
  otherTier(): CounterHandle {
    this.#otherTier ??= this.#holder.counter('promptTokensCachedBySource', String(this.index), 'other');
    return this.#otherTier;
  }

  #join(model: ModelState): EngineState {
    let state = model.engines.get(this.index);
    if (state === undefined) {
      state = new EngineState(this.index, stateSeries(this.metrics, this.#holder));
      model.engines.set(this.index, state);
    }
    state.users++;
    return state;
  }
}
