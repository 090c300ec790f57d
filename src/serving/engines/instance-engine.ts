/** One engine as one instance knows it. */

import type { CellRange } from '../../metric/cell-slabs.js';
import type { Counter } from '../../metric/counter.js';
import type { MetricFamily } from '../../metric/family.js';
import type { Handle } from '../../metric/handle.js';
import { MooncakeHandles, NixlHandles } from './connector-handles.js';
import { EngineHandles } from './engine-handles.js';
import { type HeldSeries, ModelEngine, type StateSeries } from './model-engine.js';
import type { SeriesHolder } from './series-holder.js';
import type { ServedModel } from './served-model.js';

function stateSeries(metrics: EngineHandles, holder: SeriesHolder): StateSeries {
  const held = (...handles: readonly Handle[]) => handles.map((handle) => holder.seriesOf(handle)!);
  const { capacity, deferred } = metrics.numRequestsWaitingByReason;
  const { waitingToStart, inProgress, completedWaiting } = metrics.numRequestsKvFetchByStage;
  const { awake, weightsOffloaded, discardAll } = metrics.engineSleepState;
  return {
    scheduler: held(
      metrics.numRequestsRunning,
      metrics.numRequestsWaiting,
      capacity,
      deferred,
      waitingToStart,
      inProgress,
      completedWaiting,
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
  readonly #model: ServedModel;
  #otherTier: Counter | undefined;

  constructor(index: number, holder: SeriesHolder, model: ServedModel, disposed: boolean) {
    this.index = index;
    this.#holder = holder;
    this.#model = model;
    this.metrics = new EngineHandles(holder, index);
    this.tokenCells = tokenCells(this.metrics, holder);
    this.nixl = new NixlHandles(holder, index);
    this.mooncake = new MooncakeHandles(holder, index);
    this.shared = disposed ? undefined : this.#join();
    this.resolveDraftPositions(disposed ? 0 : model.numDraftPositions);
  }

  /** Sets the scheduler gauges to idle. */
  idle(): void {
    const { metrics } = this;
    metrics.numRequestsRunning.put(0);
    metrics.numRequestsWaiting.put(0);
    for (const gauge of Object.values(metrics.numRequestsWaitingByReason)) gauge.put(0);
    for (const gauge of Object.values(metrics.numRequestsKvFetchByStage)) gauge.put(0);
    metrics.kvCacheUsagePerc.put(0);
    this.shared?.heard();
  }

  /** Notes that the engine has made a step, now on the wall clock: one that hangs is found by it. */
  stepped(withStats: boolean): void {
    this.shared?.stepped(this, withStats);
  }

  /** The gauge of the engine's last step. */
  lastStep(): HeldSeries {
    // Live, or there would be no shared state to note the step in.
    return this.#holder.seriesOf(this.#holder.lastStep(String(this.index)))!;
  }

  requestStarted(): void {
    this.#moveInFlight(1);
  }

  requestEnded(): void {
    if (this.inFlight === 0) return; // the instance was disposed meanwhile
    this.#moveInFlight(-1);
  }

  /** Takes this instance's live requests off the gauge and gives the engine up, before its handles go quiet. */
  leave(): void {
    this.#moveInFlight(-this.inFlight);
    this.shared = undefined; // what this instance is told from now on is none of the others' business
  }

  /** Puts so many draft positions on the page, for all engines of the model. */
  standDraftPositions(count: number): void {
    if (this.shared === undefined) this.resolveDraftPositions(count);
    else this.#model.standDraftPositions(count);
  }

  /** The counter of a draft position. */
  draftPosition(position: number): Counter {
    this.standDraftPositions(position + 1);
    return this.metrics.specDecodeNumAcceptedTokensPerPos[position]!; // it stands now
  }

  /** Resolves the handles of the first `count` draft positions. */
  resolveDraftPositions(count: number): void {
    const handles = this.metrics.specDecodeNumAcceptedTokensPerPos;
    for (let position = handles.length; position < count; position++) {
      handles.push(
        this.#holder.counter('specDecodeNumAcceptedTokensPerPos', String(this.index), String(position)),
      );
    }
  }

  /** The family of a counter of this engine; undefined once the instance was disposed. */
  familyOf(counter: Counter): MetricFamily | undefined {
    return this.#holder.seriesOf(counter)?.family;
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
    if (this.shared?.removed === true) this.shared.settleInFlight();
  }

  #join(): ModelEngine {
    const known = this.#model.engines.get(this.index);
    if (known !== undefined) return known;
    const made = new ModelEngine(this.index, stateSeries(this.metrics, this.#holder));
    this.#model.engines.set(this.index, made);
    return made;
  }
}
