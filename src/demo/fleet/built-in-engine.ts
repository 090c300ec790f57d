import { asyncScheduler, type SchedulerLike, Subscription } from 'rxjs';
import type { EngineCoreOutputs } from '../../index.js';
import {
  type EngineCoreRequestLike,
  type EngineFleet,
  type EngineOptions,
  type MultiModalCacheQuery,
  simulateEngines,
} from '../../simulator/index.js';
import type { FleetRequest, PromptRequest } from './fleet.js';
import type { EngineState, EngineStatus } from './fleet-status.js';

/** Who hears of an engine. */
export interface BuiltInEngineHost {
  batch(batch: EngineCoreOutputs): void;
  multiModalCache(query: MultiModalCacheQuery): void;
}

/** The wall clock with fractions of a millisecond: steps take a few milliseconds, and whole ones would show. */
const REAL_TIME: SchedulerLike = {
  now: () => performance.timeOrigin + performance.now(),
  schedule: asyncScheduler.schedule.bind(asyncScheduler),
};

/** vLLM's weight of a waiting request against a running one. @see vllm/v1/engine/core_client.py */
const WAITING_WEIGHT = 4;

export interface BuiltInEngineOptions extends EngineOptions {
  readonly seed: number;
}

/** Only a {@link PromptRequest} comes in the wire's shape. */
function numOutputTokensOf(request: EngineCoreRequestLike): number {
  return (request as PromptRequest).numOutputTokens;
}

/** One simulated engine in real time, that can die and start anew. */
export class BuiltInEngine {
  readonly index: number;
  state: EngineState = 'running';
  readonly #options: BuiltInEngineOptions;
  readonly #host: BuiltInEngineHost;
  #engine: EngineFleet;
  #subscriptions: Subscription = new Subscription();
  #numStarts = 0;

  constructor(index: number, options: BuiltInEngineOptions, host: BuiltInEngineHost) {
    this.index = index;
    this.#options = options;
    this.#host = host;
    this.#engine = this.#start();
  }

  get status(): EngineStatus {
    const { numRunning, numWaiting, numDeferred, numUsedKvBlocks, numKvBlocks } = this.#engine.snapshot(
      this.index,
    );
    return {
      engineIndex: this.index,
      state: this.state,
      running: numRunning,
      waiting: numWaiting + numDeferred,
      kvCacheUsage: numUsedKvBlocks / numKvBlocks,
    };
  }

  get load(): number {
    const { running, waiting } = this.status;
    return WAITING_WEIGHT * waiting + running;
  }

  get isDrained(): boolean {
    return this.state === 'draining' && this.load === 0;
  }

  submit(request: FleetRequest): void {
    this.#engine.submit(this.index, request);
  }

  abort(requestId: string): void {
    this.#engine.abort(this.index, [requestId]);
  }

  /** Nothing more comes from it. */
  stop(): void {
    this.state = 'dead';
    this.#subscriptions.unsubscribe();
    this.#engine.close();
  }

  /** With an empty cache, and other draws of chance than before. */
  restart(): void {
    this.state = 'running';
    this.#engine = this.#start();
  }

  #start(): EngineFleet {
    const seed = this.#options.seed + this.#numStarts++;
    const engine = simulateEngines({
      ...this.#options,
      engines: [this.index],
      seed,
      scheduler: REAL_TIME,
      outputTokensOf: numOutputTokensOf,
    });
    this.#subscriptions = new Subscription();
    this.#subscriptions.add(engine.batches$.subscribe((batch) => this.#host.batch(batch)));
    this.#subscriptions.add(engine.multiModalCache$.subscribe((query) => this.#host.multiModalCache(query)));
    return engine;
  }
}
