import { defer, type Observable } from 'rxjs';
import type { EngineCoreOutputs } from '../../engine-core/engine-core-outputs.js';
import type { EngineConfig } from '../config/engine-config.js';
import type { EngineHost } from '../core/simulated-engine.js';
import type { SimulatorOptions } from '../options.js';
import type {
  EngineCoreRequestLike,
  MultiModalCacheQuery,
  SimulatedRequest,
  SubmittedRequest,
} from '../request.js';
import { ArrivalFeed, type ArrivalSink } from './arrival-feed.js';
import { EngineGroup, snapshotOf } from './engine-group.js';
import { FleetStreams } from './fleet-streams.js';
import type { EngineFleet, EngineSnapshot } from './fleet-types.js';
import { SubmissionDesk } from './submission-desk.js';

/** Engines, arrivals and streams put together. */
export class Fleet implements EngineFleet, EngineHost, ArrivalSink {
  readonly engines: readonly number[];
  readonly batches$: Observable<EngineCoreOutputs>;
  readonly submitted$: Observable<SubmittedRequest>;
  readonly multiModalCache$: Observable<MultiModalCacheQuery>;
  readonly #config: EngineConfig;
  readonly #group: EngineGroup;
  readonly #streams: FleetStreams;
  readonly #desk: SubmissionDesk;
  readonly #feed: ArrivalFeed | undefined;
  #hasStarted = false;
  #isEnding = false;

  constructor(options: SimulatorOptions, indexes: readonly number[], config: EngineConfig, mmSize: number) {
    this.engines = indexes;
    this.#config = config;
    this.#group = new EngineGroup(indexes, config, options.seed, options.scheduler, this);
    this.#streams = new FleetStreams(indexes);
    this.#desk = new SubmissionDesk(options, config, mmSize, this.#group, this.#streams);
    this.#feed = options.requests && new ArrivalFeed(options.requests, options.scheduler, this);
    this.batches$ = this.#started(this.#streams.batches);
    this.submitted$ = this.#streams.submitted.asObservable();
    this.multiModalCache$ = this.#streams.multiModalCache.asObservable();
  }

  outputs(engineIndex: number): Observable<EngineCoreOutputs> {
    return this.#started(this.#streams.outputs(this.#group.get(engineIndex).index));
  }

  submit(request: SimulatedRequest, engineIndex?: number): number;
  submit(engineIndex: number, request: SimulatedRequest | EngineCoreRequestLike): number;
  submit(
    first: SimulatedRequest | number,
    second?: number | SimulatedRequest | EngineCoreRequestLike,
  ): number {
    if (typeof first === 'number')
      return this.#desk.submit(second as SimulatedRequest | EngineCoreRequestLike, first);
    return this.#desk.submit(first, (second as number | undefined) ?? first.engineIndex);
  }

  abort(engineIndex: number, ids: readonly string[]): void {
    const engine = this.#group.get(engineIndex);
    for (const id of ids) engine.abort(id);
  }

  crash(engineIndex: number): void {
    this.#group.get(engineIndex).stop();
    this.#completeIfDone();
  }

  snapshot(engineIndex: number): EngineSnapshot {
    return snapshotOf(this.#group.get(engineIndex));
  }

  end(): void {
    this.#isEnding = true;
    this.#completeIfDone();
  }

  close(): void {
    this.#feed?.stop();
    this.#group.stop();
    if (!this.#streams.isOver) this.#streams.complete();
  }

  /** From an engine. */
  batch(batch: EngineCoreOutputs): void {
    this.#streams.send(batch);
  }

  /** From an engine. */
  idle(): void {
    if (this.#config.dataParallel && this.#group.areIdle) this.#completeWave();
    this.#completeIfDone();
  }

  /** From the feed. */
  arrive(request: SimulatedRequest): void {
    this.#desk.submit(request, request.engineIndex);
  }

  /** From the feed. */
  exhausted(): void {
    this.end();
  }

  /** From the feed. */
  failed(error: unknown): void {
    this.#group.stop();
    this.#streams.fail(error);
  }

  #started(subject: Observable<EngineCoreOutputs>): Observable<EngineCoreOutputs> {
    return defer(() => {
      if (!this.#hasStarted) {
        this.#hasStarted = true;
        this.#feed?.start();
      }
      return subject;
    });
  }

  #completeWave(): void {
    for (const [position, engine] of this.#group.engines.entries()) engine.completeWave(position === 0);
  }

  #completeIfDone(): void {
    if (this.#isEnding && !this.#streams.isOver && this.#group.areIdle) this.#streams.complete();
  }
}
