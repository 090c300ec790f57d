/** One of the two worlds of a run: one with the operator under test, one with a spy or nothing in its place. */
import { config, ReplaySubject, Subject, type Subscription } from 'rxjs';
import { OutputRouter, type ServingMetrics } from '../../src/index.js';
import { spelled } from '../operators/rxjs/rivals.js';
import type { Operator, Surroundings } from './operators.js';
import { PatientScheduler } from './patient-scheduler.js';
import type { Pipeline } from './pipeline.js';
import type { OutputKind } from './spec.js';

/** What stands in the place of the operator. */
export interface InPlace {
  readonly operator: (engine: number) => Operator;
  /** Undefined where there are none. */
  readonly metrics: ServingMetrics | undefined;
}

let acting: World | undefined;
config.onUnhandledError = (error) => acting?.log.push(`unhandled ${spelled(error)}`);
config.onStoppedNotification = ({ kind }) => acting?.log.push(`stopped ${kind}`);

export class World implements Surroundings {
  readonly router: OutputRouter = new OutputRouter();
  /** Ends sources; and, from a place of its own, consumers' streams. */
  readonly cut: Subject<void> = new Subject();
  readonly leave: Subject<void> = new Subject();
  /** Triggers of hosts. */
  readonly switches: Subject<number> = new Subject();
  /** Ends sources that would never end, also those that a repeat starts anew. */
  readonly end: Subject<void> = new ReplaySubject(1);
  readonly pipelines: Pipeline[] = [];
  readonly subscriptions: Subscription[] = [];
  readonly log: string[] = [];
  /** Time that passes only when a step says so. */
  readonly virtual: PatientScheduler = this.#patient();
  readonly operator: (engine: number) => Operator;
  readonly #metrics: ServingMetrics | undefined;
  readonly #scheduler = this.#patient();
  #time = 0;

  constructor({ operator, metrics }: InPlace) {
    this.operator = operator;
    this.#metrics = metrics;
  }

  /** Does something, and lets all that RxJS has put off until later happen too. */
  act(body: (world: World) => void): void {
    acting = this;
    this.#scheduler.run(() => this.guarded(() => body(this)));
    acting = undefined;
  }

  #patient(): PatientScheduler {
    return new PatientScheduler((error) => this.log.push(`thrown later ${spelled(error)}`));
  }

  /** Notes what `body` throws. */
  guarded(body: () => void): void {
    try {
      body();
    } catch (error) {
      this.log.push(`thrown ${spelled(error)}`);
    }
  }

  /** A time of its own for each output. */
  tick(): number {
    return ++this.#time;
  }

  send(pipeline: number, kind: OutputKind): void {
    this.pipelines[pipeline % this.pipelines.length]?.send(kind);
  }

  removeEngine(engine: number): void {
    this.#metrics?.removeEngine(engine);
  }

  /** Ends all that is still alive. */
  finish(): void {
    for (const subject of [this.switches, this.cut, this.leave]) this.guarded(() => subject.complete());
    for (const pipeline of this.pipelines) this.guarded(() => pipeline.end());
    this.guarded(() => this.router.complete());
    this.guarded(() => this.end.next());
    this.guarded(() => this.virtual.flush());
    for (const subscription of this.subscriptions) this.guarded(() => subscription.unsubscribe());
  }
}
