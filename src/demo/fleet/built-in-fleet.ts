import { Observable, Subject } from 'rxjs';
import { type EngineCoreOutputs, type EngineCoreStreamOutput, OutputRouter } from '../../index.js';
import type { MultiModalCacheQuery } from '../../simulator/index.js';
import type { DemoOptions } from '../command/options.js';
import { cacheConfigOf, engineSettings } from '../run/engine-settings.js';
import type { EngineLoss } from '../run/run-record.js';
import type { Trace } from '../trace/trace.js';
import { BuiltInEngine, type BuiltInEngineHost, type BuiltInEngineOptions } from './built-in-engine.js';
import { EngineChoice } from './engine-choice.js';
import { EngineStateError, type Fleet, type FleetRequest } from './fleet.js';
import type { EngineStatus } from './fleet-status.js';

const MOST_ENGINES = 64;

/** The engines that a trace runs on. @throws {UsageError} if a request is too large for them. */
export function builtInFleet(trace: Trace, options: DemoOptions): BuiltInFleet {
  return new BuiltInFleet(options.engines, { ...engineSettings(trace, options), seed: options.seed });
}

/** Simulated engines in this process, that come and go one by one. */
export class BuiltInFleet implements Fleet, BuiltInEngineHost {
  readonly canChange = true;
  readonly endsAnswers = true;
  readonly sendsStrays = false;
  readonly maxModelLen: number;
  readonly #batches: Subject<EngineCoreOutputs> = new Subject();
  readonly #multiModalCache: Subject<MultiModalCacheQuery> = new Subject();
  readonly #removed: Subject<number> = new Subject();
  readonly #lost: Subject<EngineLoss> = new Subject();
  readonly #router: OutputRouter = new OutputRouter();
  readonly #choice = new EngineChoice();
  readonly #engines = new Map<number, BuiltInEngine>();
  readonly #options: BuiltInEngineOptions;

  constructor(numEngines: number, options: BuiltInEngineOptions) {
    const { numKvBlocks = 0, blockSize = 0 } = options; // both are set by engineSettings
    this.#options = options;
    this.maxModelLen = numKvBlocks * blockSize;
    for (let index = 0; index < numEngines; index++) this.#start(index);
  }

  get batches$(): Observable<EngineCoreOutputs> {
    return this.#batches;
  }

  get multiModalCache$(): Observable<MultiModalCacheQuery> {
    return this.#multiModalCache;
  }

  get lost$(): Observable<EngineLoss> {
    return this.#lost;
  }

  get removed$(): Observable<number> {
    return this.#removed;
  }

  get indexes(): readonly number[] {
    return [...this.#engines.keys()].sort((a, b) => a - b);
  }

  get isServing(): boolean {
    return [...this.#engines.values()].some(({ state }) => state === 'running');
  }

  get numWaiting(): number {
    return [...this.#engines.values()].reduce((sum, { status }) => sum + status.waiting, 0);
  }

  cacheConfigOf(): Readonly<Record<string, unknown>> {
    return cacheConfigOf(this.#options);
  }

  statusOf(index: number): EngineStatus {
    return this.#get(index).status;
  }

  pick(): number | undefined {
    const running = this.indexes.filter((index) => this.#get(index).state === 'running');
    return this.#choice.pick(running, (index) => this.#get(index).load);
  }

  open(index: number, request: FleetRequest): Observable<EngineCoreStreamOutput> {
    const { requestId } = request;
    return new Observable((subscriber) => {
      const onAbort = () => this.#abort(index, requestId);
      this.#router.open(requestId, index, { onAbort }).subscribe(subscriber);
      this.#get(index).submit(request);
    });
  }

  add(): number {
    let index = 0;
    while (this.#engines.has(index)) index++;
    if (index >= MOST_ENGINES) throw new EngineStateError('engines', `at most ${MOST_ENGINES}`, 'one more');
    this.#start(index);
    return index;
  }

  remove(index: number): void {
    const engine = this.#get(index);
    if (engine.state === 'running') engine.state = 'draining';
    if (engine.state === 'dead' || engine.isDrained) this.#leave(engine);
  }

  kill(index: number): void {
    const engine = this.#get(index);
    if (engine.state === 'dead')
      throw new EngineStateError(`engine ${index}`, 'one that lives', 'a dead one');
    const { running, waiting } = engine.status;
    engine.stop();
    this.#router.failEngine(index, new Error(`engine ${index} has died`));
    this.#lost.next({ engineIndex: index, reason: 'it was killed', numRequests: running + waiting });
  }

  restart(index: number): void {
    const engine = this.#get(index);
    if (engine.state !== 'dead')
      throw new EngineStateError(`engine ${index}`, 'a dead one', `one that is ${engine.state}`);
    engine.restart();
  }

  async close(): Promise<void> {
    for (const engine of this.#engines.values()) engine.stop();
  }

  /** From an engine. */
  batch(batch: EngineCoreOutputs): void {
    this.#batches.next(batch);
    this.#router.next(batch);
    const engine = this.#engines.get(batch.engineIndex);
    if (engine?.isDrained === true) this.#leave(engine);
  }

  /** From an engine. */
  multiModalCache(query: MultiModalCacheQuery): void {
    this.#multiModalCache.next(query);
  }

  /** A client has left; an engine that is gone need not know. */
  #abort(index: number, requestId: string): void {
    const engine = this.#engines.get(index);
    if (engine === undefined) return;
    engine.abort(requestId);
    if (engine.isDrained) this.#leave(engine);
  }

  #start(index: number): void {
    this.#engines.set(index, new BuiltInEngine(index, this.#options, this));
  }

  #leave(engine: BuiltInEngine): void {
    this.#engines.delete(engine.index);
    engine.stop();
    this.#removed.next(engine.index);
  }

  #get(index: number): BuiltInEngine {
    const engine = this.#engines.get(index);
    if (engine !== undefined) return engine;
    throw new EngineStateError('engine', `one of ${this.indexes.join(', ') || 'none'}`, String(index));
  }
}
