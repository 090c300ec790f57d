/** Everybody who asks one frontend for an answer. */
import { DuplicateRequestIdError, type OutputRouter, type ServingMetrics } from '../../../src/index.js';
import { ReferenceParent } from '../../model/request.js';
import { Client } from './client.js';
import type { ModelCounts } from './counts.js';
import type { Engine } from './engine.js';
import { Observed } from './observed.js';
import { ask, piped } from './opening.js';
import { drawPlan, type Family, isFault, type Plan } from './plan.js';
import type { World } from './world.js';

/** A frontend as its requests see it. */
export interface Desk {
  readonly metrics: ServingMetrics;
  readonly router: OutputRouter;
  readonly counts: ModelCounts;
  readonly name: string;
  engineForNew(): Engine;
}

/** A request that the router knows. */
interface Opened {
  readonly plan: Plan;
  /** Undefined until somebody reads it. */
  client: Client | undefined;
  /** The engine has said its last word. */
  done: boolean;
}

interface Late {
  readonly subscribe: () => void;
  readonly dueAt: number;
}

export class Admission {
  readonly #world: World;
  readonly #desk: Desk;
  readonly #opened = new Map<string, Opened>();
  #late: Late[] = [];
  #leaving: Client[] = [];
  #nextId = 0;

  constructor(world: World, desk: Desk) {
    this.#world = world;
    this.#desk = desk;
  }

  /** Open or read. */
  get numLive(): number {
    return this.#opened.size;
  }

  *reading(): IterableIterator<Observed> {
    for (const { client } of this.#opened.values()) if (client !== undefined) yield client.observed;
  }

  /** One request, or the sequences of a parent. */
  admit(): void {
    const { random, ledger } = this.#world;
    if (!random.chance(0.02)) {
      this.#open(undefined);
      return;
    }
    const n = 2 + random.below(3);
    const family: Family = {
      parent: this.#desk.metrics.parallelSampling(n),
      reference: new ReferenceParent(n),
    };
    ledger.fault('parallel sampling');
    for (let i = 0; i < n; i++) this.#open(family);
  }

  /** The moments that have come: clients leave, late ones subscribe. */
  turn(): void {
    const { seconds } = this.#world.time;
    const leaving = this.#leaving;
    this.#leaving = [];
    for (const client of leaving) {
      if (!client.observed.ended && !client.isDue) this.#leaving.push(client);
      else {
        client.leave();
        this.#opened.delete(client.observed.plan.id);
      }
    }
    const due = this.#late.filter(({ dueAt }) => dueAt <= seconds);
    if (due.length === 0) return;
    this.#late = this.#late.filter(({ dueAt }) => dueAt > seconds);
    for (const { subscribe } of due) subscribe();
  }

  /** An output or a `finishedRequests` entry on its way to a stream; false if nobody has it open. */
  sent(id: string, isFinal: boolean): boolean {
    const opened = this.#opened.get(id);
    if (opened === undefined || opened.done) return false;
    opened.done = isFinal;
    return true;
  }

  /** Forgets those that have ended. */
  sweep(ids: Iterable<string>): void {
    for (const id of ids) if (this.#opened.get(id)?.client?.observed.ended) this.#opened.delete(id);
  }

  /** The router is gone, and with it what nobody reads yet. */
  closed(): void {
    this.sweep(this.#opened.keys());
    for (const opened of this.#opened.values()) opened.done = true;
  }

  /** Asks for an id that is taken. */
  askTwice(): void {
    const [taken] = this.#opened.values();
    if (taken === undefined || taken.done) return;
    this.#world.ledger.fault('id that is taken');
    try {
      this.#desk.router.open(taken.plan.id, 0);
      this.#world.ledger.problem(`${taken.plan.id}: opened twice`);
    } catch (error) {
      if (!(error instanceof DuplicateRequestIdError)) throw error;
    }
  }

  #open(family: Family | undefined): void {
    const { random, ledger, time } = this.#world;
    const engine = this.#desk.engineForNew();
    const plan = drawPlan(random, `${this.#desk.name}-${this.#nextId++}`, engine.index, family);
    if (isFault(plan.fate)) ledger.fault(plan.fate);
    const opened: Opened = { plan, client: undefined, done: false };
    const onAbort = (id: string): void => {
      ledger.aborts++;
      engine.abort(id);
    };
    const routed = this.#desk.router.open(plan.id, plan.engineIndex, { onAbort });
    this.#opened.set(plan.id, opened);
    engine.add(plan, time.seconds);
    const subscribe = (): void => this.#subscribe(opened, routed);
    if (plan.fate === 'late') this.#late.push({ subscribe, dueAt: time.seconds + random.below(256) / 1024 });
    else subscribe();
  }

  #subscribe(opened: Opened, routed: Parameters<typeof piped>[0]): void {
    const { random, ledger, time } = this.#world;
    const { metrics, counts } = this.#desk;
    const { plan } = opened;
    const asked = ask(plan, random, time, counts, ledger);
    const client = new Client(new Observed(plan, counts, asked), ledger, time);
    opened.client = client;
    ledger.started++;
    client.subscription = piped(routed, metrics, plan, asked.info, () => client).subscribe(client);
    if (plan.fate === 'unsubscribe' || plan.fate === 'stop string') this.#leaving.push(client);
    if (client.observed.ended) this.#opened.delete(plan.id);
  }
}
