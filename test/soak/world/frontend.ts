/** One model's frontend: instances, a router, engines, and what befalls them. */
import { Subject, Subscription } from 'rxjs';
import {
  type EngineCoreOutputs,
  OutputRouter,
  type ServingMetrics,
  withSchedulerMetrics,
} from '../../../src/index.js';
import { Admission, type Desk } from './admission.js';
import { spoil } from './batch-faults.js';
import type { ModelCounts } from './counts.js';
import { type AbortReply, Engine } from './engine.js';
import { Instances, type Reload } from './instances.js';
import { bookStep } from './stats.js';
import type { World } from './world.js';

/** Steps that a removed engine stays away. */
const STEPS_AWAY = 50;

export interface FrontendOptions {
  readonly name: string;
  readonly engines: number;
  readonly reload: Reload;
  readonly replies: readonly AbortReply[];
}

export class Frontend implements Desk {
  readonly name: string;
  readonly admission: Admission;
  readonly instances: Instances;
  readonly engines: readonly Engine[];
  router: OutputRouter = new OutputRouter();
  readonly #world: World;
  readonly #away = new Map<Engine, number>();
  #batches = new Subject<EngineCoreOutputs>();
  #pipeline: Subscription = new Subscription();
  #next = 0;

  constructor(world: World, { name, engines, reload, replies }: FrontendOptions) {
    const { random, ledger } = world;
    this.#world = world;
    this.name = name;
    this.engines = Array.from({ length: engines }, (_, index) => new Engine(index, random, ledger, replies));
    this.admission = new Admission(world, this);
    this.instances = new Instances(world, name, reload, () => this.admission.reading());
    this.#connect();
  }

  get metrics(): ServingMetrics {
    return this.instances.current;
  }

  get counts(): ModelCounts {
    return this.instances.counts;
  }

  get isIdle(): boolean {
    const { admission, engines, instances } = this;
    return admission.numLive === 0 && engines.every((engine) => engine.isIdle) && instances.numRetiring === 0;
  }

  engineForNew(): Engine {
    const present = this.engines.filter((engine) => !this.#away.has(engine));
    return this.#world.random.pick(present.length > 0 ? present : this.engines);
  }

  /** One step of the next engine. */
  step(): void {
    const { time, random, ledger } = this.#world;
    this.admission.turn();
    this.instances.retire();
    const engine = this.engines[this.#next++ % this.engines.length]!;
    if ((this.#away.get(engine) ?? 0) > this.#next) return;
    this.#away.delete(engine);
    for (const batch of spoil(engine.step(time.seconds), random, this.counts, ledger)) this.#send(batch);
  }

  /** What happens to frontends now and then. */
  churn(): void {
    const { random } = this.#world;
    if (random.chance(1 / 200)) this.admission.askTwice();
    if (random.chance(1 / 1000)) this.#idle();
    if (random.chance(1 / 1000)) this.#removeEngine(random.pick(this.engines));
    if (random.chance(1 / 2000)) this.replace();
    // With its router: one frontend keeps its own for good.
    if (this.instances.reload !== 'drain' && random.chance(1 / 2000)) this.#crash();
  }

  /** A hot reload. */
  replace(): void {
    this.#world.ledger.fault(`reload (${this.instances.reload})`);
    this.instances.replace();
    this.#connect();
  }

  #connect(): void {
    this.#pipeline.unsubscribe();
    this.#pipeline = this.#batches.pipe(withSchedulerMetrics(this.metrics)).subscribe(this.router);
  }

  #send(batch: EngineCoreOutputs): void {
    const { ledger } = this.#world;
    const outputs = Array.isArray(batch.outputs) ? batch.outputs.filter((output) => output !== null) : [];
    const finished = batch.finishedRequests ?? [];
    ledger.batches++;
    bookStep(this.counts, batch);
    for (const { requestId, finishReason } of outputs)
      if (this.admission.sent(requestId, finishReason !== undefined)) ledger.outputsSent++;
    for (const id of finished) this.admission.sent(id, true);
    this.#batches.next(batch);
    this.admission.sweep(outputs.map(({ requestId }) => requestId));
    this.admission.sweep(finished);
  }

  #idle(): void {
    this.#world.ledger.fault('idle');
    this.metrics.idle();
    for (const counts of this.counts.engines.values()) counts.idle();
  }

  /** It stays away for a while, its requests with it. */
  #removeEngine(engine: Engine): void {
    const counts = this.counts.engines.get(engine.index);
    if (counts === undefined) return;
    this.#world.ledger.fault('engine removed');
    this.metrics.removeEngine(engine.index);
    counts.removed = true;
    this.#away.set(engine, this.#next + STEPS_AWAY);
  }

  #crash(): void {
    const { random, ledger } = this.#world;
    const error = random.chance(0.5);
    ledger.fault(error ? 'batches fail' : 'batches end');
    if (error) this.#batches.error(new Error('the engines are gone'));
    else this.#batches.complete();
    this.admission.admit(); // the router is closed: a stream that fails at once
    this.admission.closed();
    for (const engine of this.engines) engine.crash();
    this.router = new OutputRouter();
    this.#batches = new Subject();
    this.#connect();
  }
}
