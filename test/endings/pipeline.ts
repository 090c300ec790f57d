/** One request's stream with all around it. */
import {
  asapScheduler,
  asyncScheduler,
  concat,
  concatMap,
  defer,
  exhaustMap,
  from,
  mergeMap,
  NEVER,
  Observable,
  queueScheduler,
  type SchedulerLike,
  Subject,
  scheduled,
  switchMap,
  takeUntil,
  throwError,
} from 'rxjs';
import type { EngineCoreStreamOutput } from '../../src/index.js';
import { operatorOf, pipeAll } from './operators.js';
import { outputOf } from './outputs.js';
import type { HostKind, OutputKind, PipelineSpec } from './spec.js';
import type { World } from './world.js';

type Outputs = Observable<EngineCoreStreamOutput>;

export class Pipeline {
  readonly stream: Outputs;
  readonly #spec: PipelineSpec;
  readonly #world: World;
  readonly #name: string;
  readonly #hand = new Subject<EngineCoreStreamOutput>();
  #opened = 0;

  constructor(spec: PipelineSpec, world: World) {
    this.#spec = spec;
    this.#world = world;
    this.#name = `r${world.pipelines.length}`;
    const upstream = spec.upstream.map((kind) => operatorOf(kind, world));
    const places = { cut: world.leave, virtual: world.virtual };
    const downstream = spec.downstream.map((kind) => operatorOf(kind, places));
    const request = pipeAll(this.#source(), [...upstream, world.operator(spec.engine), ...downstream]);
    this.stream = this.#hosted(request, spec.host);
  }

  /** Sends an output to the latest request, by its source's own way. */
  send(kind: OutputKind): void {
    const value = outputOf(kind, this.#world.tick(), `${this.#name}.${this.#opened}`);
    this.#hand.next(value);
    const { timestamp, output } = value;
    this.#world.router.next({ engineIndex: this.#spec.engine, timestamp, outputs: [output] });
  }

  end(): void {
    this.#hand.complete();
  }

  #open(): Outputs {
    const id = `${this.#name}.${++this.#opened}`;
    const { router, log } = this.#world;
    const onAbort = () => {
      log.push(`aborts ${id}`);
      if (this.#spec.abort === 'throws') throw new Error('in onAbort');
      if (this.#spec.abort === 'answers') this.send('final empty');
    };
    return router.open(id, this.#spec.engine, { onAbort });
  }

  #list(): EngineCoreStreamOutput[] {
    return this.#spec.outputs.map((kind) => outputOf(kind, this.#world.tick()));
  }

  #scheduled(scheduler: SchedulerLike): Outputs {
    return defer(() => scheduled(this.#list(), scheduler));
  }

  #source(): Outputs {
    switch (this.#spec.source) {
      case 'router':
        return this.#open();
      case 'router, a new request each time':
        return defer(() => this.#open());
      case 'subject':
        return this.#hand;
      case 'synchronous':
        return defer(() => from(this.#list()));
      case 'synchronous, then silent':
        return concat(
          defer(() => this.#list()),
          NEVER,
        ).pipe(takeUntil(this.#world.end));
      case 'synchronous, then an error':
        return concat(
          defer(() => this.#list()),
          throwError(() => new Error('of the source')),
        );
      case 'throws at subscribe':
        return throwsAtSubscribe(() => this.#list());
      case 'async scheduler':
        return this.#scheduled(asyncScheduler);
      case 'asap scheduler':
        return this.#scheduled(asapScheduler);
      case 'queue scheduler':
        return this.#scheduled(queueScheduler);
      case 'virtual scheduler':
        return this.#scheduled(this.#world.virtual);
    }
  }

  #hosted(request: Outputs, host: HostKind): Outputs {
    const { switches } = this.#world;
    switch (host) {
      case 'none':
        return request;
      case 'concatMap':
        return from([1, 2]).pipe(concatMap(() => request));
      case 'mergeMap':
        return from([1, 2]).pipe(mergeMap(() => request));
      case 'switchMap':
        return switches.pipe(switchMap(() => request));
      case 'exhaustMap':
        return switches.pipe(exhaustMap(() => request));
    }
  }
}

function throwsAtSubscribe(list: () => readonly EngineCoreStreamOutput[]): Outputs {
  return new Observable((subscriber) => {
    for (const value of list()) subscriber.next(value);
    throw new Error('at subscribe');
  });
}
