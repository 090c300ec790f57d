import { asyncScheduler, type Observable, type SchedulerLike, Subject, type Subscription } from 'rxjs';
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

/** What may be asked of an engine, by the state it must be in. */
export class EngineStateError extends Error {
  override readonly name = 'EngineStateError';
}

/** The wall clock with fractions of a millisecond: steps take a few milliseconds, and whole ones would show. */
const REAL_TIME: SchedulerLike = {
  now: () => performance.timeOrigin + performance.now(),
  schedule: asyncScheduler.schedule.bind(asyncScheduler),
};

interface LiveEngine {
  readonly index: number;
  state: LiveEngineState;
  engine: EngineFleet;
  batches: Subscription;
  numStarts: number;
}

export const MOST_ENGINES = 64;
/** vLLM's weight of a waiting request against a running one. @see vllm/v1/engine/core_client.py */
const WAITING_WEIGHT = 4;

/** Simulated engines in real time, each of its own, so that they come and go one by one. */
export class LiveFleet {
  readonly #batches: Subject<EngineCoreOutputs> = new Subject();
  readonly #removed: Subject<number> = new Subject();
  readonly #multiModalCache: Subject<MultiModalCacheQuery> = new Subject();
  readonly #engines = new Map<number, LiveEngine>();
  readonly #settings: EngineOptions;
  readonly #seed: number;
  readonly #outputTokensOf: (request: EngineCoreRequestLike) => number;
  #lastChosen = -1;

  constructor(
    settings: EngineOptions,
    numEngines: number,
    seed: number,
    outputTokensOf: (request: EngineCoreRequestLike) => number,
  ) {
    this.#settings = settings;
    this.#seed = seed;
    this.#outputTokensOf = outputTokensOf;
    for (let index = 0; index < numEngines; index++) this.#start(index, 0);
  }

  /** Every engine's batches. */
  get batches$(): Observable<EngineCoreOutputs> {
    return this.#batches;
  }

  get multiModalCache$(): Observable<MultiModalCacheQuery> {
    return this.#multiModalCache;
  }

  /** Engines that have left, drained. */
  get removed$(): Observable<number> {
    return this.#removed;
  }

  /** In ascending order. */
  get indexes(): readonly number[] {
    return [...this.#engines.keys()].sort((a, b) => a - b);
  }

  stateOf(index: number): LiveEngineState {
    return this.#get(index).state;
  }

  snapshot(index: number): EngineSnapshot {
    return this.#get(index).engine.snapshot(index);
  }

  /** Requests that wait, over all engines. */
  get numWaiting(): number {
    let sum = 0;
    for (const { index, engine } of this.#engines.values()) {
      const { numWaiting, numDeferred } = engine.snapshot(index);
      sum += numWaiting + numDeferred;
    }
    return sum;
  }

  /** The least loaded engine that runs, equal loads take turns; `undefined` if none does. */
  pick(): number | undefined {
    const running = this.indexes.filter((index) => this.stateOf(index) === 'running');
    const turn = running.findIndex((index) => index > this.#lastChosen);
    const inTurn = turn > 0 ? [...running.slice(turn), ...running.slice(0, turn)] : running;
    const loads = inTurn.map((index) => this.#loadOf(index));
    const chosen = inTurn[loads.indexOf(Math.min(...loads))];
    if (chosen !== undefined) this.#lastChosen = chosen;
    return chosen;
  }

  submit(index: number, request: SimulatedRequest | EngineCoreRequestLike): void {
    this.#get(index).engine.submit(index, request);
  }

  /** A client has left; an engine that is gone need not know. */
  abort(index: number, requestId: string): void {
    const engine = this.#engines.get(index);
    engine?.engine.abort(index, [requestId]);
    if (engine !== undefined) this.#leaveIfDrained(engine);
  }

  /** Starts an engine at the lowest free index. @throws {EngineStateError} if there are too many. */
  add(): number {
    let index = 0;
    while (this.#engines.has(index)) index++;
    if (index >= MOST_ENGINES)
      throw new EngineStateError(`engines: expected at most ${MOST_ENGINES}, got one more`);
    this.#start(index, 0);
    return index;
  }

  /** Lets an engine finish what it has; it leaves with its last request, a dead one at once. */
  remove(index: number): void {
    const engine = this.#get(index);
    if (engine.state === 'dead') this.#leave(engine);
    else {
      engine.state = 'draining';
      this.#leaveIfDrained(engine);
    }
  }

  /** An engine dies: nothing more comes from it. @throws {EngineStateError} if it is dead. */
  kill(index: number): void {
    const engine = this.#get(index);
    if (engine.state === 'dead')
      throw new EngineStateError(`engine ${index}: expected one that lives, got a dead one`);
    engine.state = 'dead';
    engine.batches.unsubscribe();
    engine.engine.close();
  }

  /** A dead engine starts anew, with an empty cache. @throws {EngineStateError} if it is not dead. */
  restart(index: number): void {
    const { state, numStarts } = this.#get(index);
    if (state !== 'dead')
      throw new EngineStateError(`engine ${index}: expected a dead one, got one that is ${state}`);
    this.#start(index, numStarts);
  }

  close(): void {
    for (const { engine } of this.#engines.values()) engine.close();
  }

  #start(index: number, numStarts: number): void {
    const engine = simulateEngines({
      ...this.#settings,
      engines: [index],
      seed: this.#seed + numStarts,
      scheduler: REAL_TIME,
      outputTokensOf: this.#outputTokensOf,
    });
    engine.multiModalCache$.subscribe((query) => this.#multiModalCache.next(query));
    const live: LiveEngine = {
      index,
      state: 'running',
      engine,
      batches: engine.batches$.subscribe((batch) => this.#send(live, batch)),
      numStarts: numStarts + 1,
    };
    this.#engines.set(index, live);
  }

  #send(engine: LiveEngine, batch: EngineCoreOutputs): void {
    this.#batches.next(batch);
    this.#leaveIfDrained(engine);
  }

  #leaveIfDrained(engine: LiveEngine): void {
    const { numRunning, numWaiting, numDeferred } = engine.engine.snapshot(engine.index);
    if (engine.state === 'draining' && numRunning + numWaiting + numDeferred === 0) this.#leave(engine);
  }

  #leave({ index, engine, batches }: LiveEngine): void {
    this.#engines.delete(index);
    batches.unsubscribe();
    engine.close();
    this.#removed.next(index);
  }

  #loadOf(index: number): number {
    const { numRunning, numWaiting, numDeferred } = this.snapshot(index);
    return WAITING_WEIGHT * (numWaiting + numDeferred) + numRunning;
  }

  #get(index: number): LiveEngine {
    const engine = this.#engines.get(index);
    if (engine !== undefined) return engine;
    throw new EngineStateError(`engine: expected one of ${this.indexes.join(', ') || 'none'}, got ${index}`);
  }
}
