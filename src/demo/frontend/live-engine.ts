import { asyncScheduler, type SchedulerLike, Subscription } from 'rxjs';
import type { EngineCoreOutputs } from '../../index.js';
import {
  type EngineCoreRequestLike,
  type EngineFleet,
  type EngineOptions,
  type EngineSnapshot,
  type MultiModalCacheQuery,
  type SimulatedRequest,
  simulateEngines,
} from '../../simulator/index.js';

/** `draining`: takes nothing new, and leaves with its last request. */
export type LiveEngineState = 'running' | 'draining' | 'dead';

/** Who hears of an engine. */
export interface LiveEngineHost {
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

export interface LiveEngineOptions extends EngineOptions {
  readonly seed: number;
  readonly outputTokensOf: (request: EngineCoreRequestLike) => number;
}

/** One simulated engine in real time, that can die and start anew. */
export class LiveEngine {
  readonly index: number;
  state: LiveEngineState = 'running';
  readonly #options: LiveEngineOptions;
  readonly #host: LiveEngineHost;
  #engine: EngineFleet;
  #subscriptions: Subscription = new Subscription();
  #numStarts = 0;

  constructor(index: number, options: LiveEngineOptions, host: LiveEngineHost) {
    this.index = index;
    this.#options = options;
    this.#host = host;
    this.#engine = this.#start();
  }

  get snapshot(): EngineSnapshot {
    return this.#engine.snapshot(this.index);
  }

  /** Deferred ones among them. */
  get numWaiting(): number {
    const { numWaiting, numDeferred } = this.snapshot;
    return numWaiting + numDeferred;
  }

  get load(): number {
    return WAITING_WEIGHT * this.numWaiting + this.snapshot.numRunning;
  }

  get isDrained(): boolean {
    return this.state === 'draining' && this.load === 0;
  }

  submit(request: SimulatedRequest | EngineCoreRequestLike): void {
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
    });
    this.#subscriptions = new Subscription();
    this.#subscriptions.add(engine.batches$.subscribe((batch) => this.#host.batch(batch)));
    this.#subscriptions.add(engine.multiModalCache$.subscribe((query) => this.#host.multiModalCache(query)));
    return engine;
  }
}
