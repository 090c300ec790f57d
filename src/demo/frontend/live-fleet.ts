import { type Observable, Subject } from 'rxjs';
import type { EngineCoreOutputs } from '../../index.js';
import type {
  EngineCoreRequestLike,
  EngineSnapshot,
  MultiModalCacheQuery,
  SimulatedRequest,
} from '../../simulator/index.js';
import {
  LiveEngine,
  type LiveEngineHost,
  type LiveEngineOptions,
  type LiveEngineState,
} from './live-engine.js';

/** An engine is not in a state for what is asked of it. */
export class EngineStateError extends Error {
  override readonly name = 'EngineStateError';

  constructor(subject: string, expected: string, got: string) {
    super(`${subject}: expected ${expected}, got ${got}`);
  }
}

const MOST_ENGINES = 64;

/** Engines that come and go one by one. */
export class LiveFleet implements LiveEngineHost {
  readonly #batches: Subject<EngineCoreOutputs> = new Subject();
  readonly #multiModalCache: Subject<MultiModalCacheQuery> = new Subject();
  readonly #removed: Subject<number> = new Subject();
  readonly #engines = new Map<number, LiveEngine>();
  readonly #options: LiveEngineOptions;
  #lastChosen = -1;

  constructor(numEngines: number, options: LiveEngineOptions) {
    this.#options = options;
    for (let index = 0; index < numEngines; index++) this.#start(index);
  }

  /** Every engine's batches. */
  get batches$(): Observable<EngineCoreOutputs> {
    return this.#batches;
  }

  get multiModalCache$(): Observable<MultiModalCacheQuery> {
    return this.#multiModalCache;
  }

  /** Engines that have left. */
  get removed$(): Observable<number> {
    return this.#removed;
  }

  /** In ascending order. */
  get indexes(): readonly number[] {
    return [...this.#engines.keys()].sort((a, b) => a - b);
  }

  get isServing(): boolean {
    return [...this.#engines.values()].some(({ state }) => state === 'running');
  }

  /** Requests that wait, over all engines. */
  get numWaiting(): number {
    return [...this.#engines.values()].reduce((sum, { numWaiting }) => sum + numWaiting, 0);
  }

  stateOf(index: number): LiveEngineState {
    return this.#get(index).state;
  }

  snapshot(index: number): EngineSnapshot {
    return this.#get(index).snapshot;
  }

  /** The least loaded engine that runs, equal loads take turns; `undefined` if none does. */
  pick(): number | undefined {
    const running = this.indexes.filter((index) => this.stateOf(index) === 'running');
    const turn = running.findIndex((index) => index > this.#lastChosen);
    const inTurn = turn > 0 ? [...running.slice(turn), ...running.slice(0, turn)] : running;
    const loads = inTurn.map((index) => this.#get(index).load);
    const chosen = inTurn[loads.indexOf(Math.min(...loads))];
    if (chosen !== undefined) this.#lastChosen = chosen;
    return chosen;
  }

  submit(index: number, request: SimulatedRequest | EngineCoreRequestLike): void {
    this.#get(index).submit(request);
  }

  /** A client has left; an engine that is gone need not know. */
  abort(index: number, requestId: string): void {
    const engine = this.#engines.get(index);
    if (engine === undefined) return;
    engine.abort(requestId);
    if (engine.isDrained) this.#leave(engine);
  }

  /** Starts an engine at the lowest free index. @throws {EngineStateError} if there are too many. */
  add(): number {
    let index = 0;
    while (this.#engines.has(index)) index++;
    if (index >= MOST_ENGINES) throw new EngineStateError('engines', `at most ${MOST_ENGINES}`, 'one more');
    this.#start(index);
    return index;
  }

  /** Lets an engine finish what it has; it leaves with its last request, a dead one at once. */
  remove(index: number): void {
    const engine = this.#get(index);
    if (engine.state === 'running') engine.state = 'draining';
    if (engine.state === 'dead' || engine.isDrained) this.#leave(engine);
  }

  /** An engine dies. @throws {EngineStateError} if it is dead. */
  kill(index: number): void {
    const engine = this.#get(index);
    if (engine.state === 'dead')
      throw new EngineStateError(`engine ${index}`, 'one that lives', 'a dead one');
    engine.stop();
  }

  /** A dead engine starts anew. @throws {EngineStateError} if it is not dead. */
  restart(index: number): void {
    const engine = this.#get(index);
    if (engine.state !== 'dead')
      throw new EngineStateError(`engine ${index}`, 'a dead one', `one that is ${engine.state}`);
    engine.restart();
  }

  close(): void {
    for (const engine of this.#engines.values()) engine.stop();
  }

  /** From an engine. */
  batch(batch: EngineCoreOutputs): void {
    this.#batches.next(batch);
    const engine = this.#engines.get(batch.engineIndex);
    if (engine?.isDrained === true) this.#leave(engine);
  }

  /** From an engine. */
  multiModalCache(query: MultiModalCacheQuery): void {
    this.#multiModalCache.next(query);
  }

  #start(index: number): void {
    this.#engines.set(index, new LiveEngine(index, this.#options, this));
  }

  #leave(engine: LiveEngine): void {
    this.#engines.delete(engine.index);
    engine.stop();
    this.#removed.next(engine.index);
  }

  #get(index: number): LiveEngine {
    const engine = this.#engines.get(index);
    if (engine !== undefined) return engine;
    throw new EngineStateError('engine', `one of ${this.indexes.join(', ') || 'none'}`, String(index));
  }
}
