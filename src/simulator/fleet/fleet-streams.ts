import { Subject } from 'rxjs';
import type { EngineCoreOutputs } from '../../engine-core/engine-core-outputs.js';
import type { MultiModalCacheQuery, SubmittedRequest } from '../request.js';

/** A fleet's subjects; they end together. */
export class FleetStreams {
  readonly batches: Subject<EngineCoreOutputs> = new Subject();
  readonly submitted: Subject<SubmittedRequest> = new Subject();
  readonly multiModalCache: Subject<MultiModalCacheQuery> = new Subject();
  readonly #byEngine = new Map<number, Subject<EngineCoreOutputs>>();
  isOver = false;

  constructor(engines: readonly number[]) {
    for (const engine of engines) this.#byEngine.set(engine, new Subject());
  }

  outputs(engineIndex: number): Subject<EngineCoreOutputs> {
    return this.#byEngine.get(engineIndex)!; // asked for known engines only
  }

  send(batch: EngineCoreOutputs): void {
    this.outputs(batch.engineIndex).next(batch);
    this.batches.next(batch);
  }

  complete(): void {
    this.isOver = true;
    for (const subject of this.#all()) subject.complete();
  }

  fail(error: unknown): void {
    this.isOver = true;
    for (const subject of this.#all()) subject.error(error);
  }

  #all(): Subject<never>[] {
    // Ending them needs no value type.
    return [
      ...this.#byEngine.values(),
      this.batches,
      this.submitted,
      this.multiModalCache,
    ] as unknown as Subject<never>[];
  }
}
