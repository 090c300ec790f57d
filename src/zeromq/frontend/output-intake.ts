import { Subject } from 'rxjs';
import type { EngineCoreOutputs } from '../../engine-core/engine-core-outputs.js';
import type { OutputRouter } from '../../router/output-router.js';
import { EngineCoreOutputsDecoder } from '../../wire/index.js';
import { type OnDiagnostic, safely, textOf } from '../socket-diagnostic.js';
import type { EnginePool } from './engine-pool.js';
import type { UtilityCalls } from './utility-calls.js';

/** True if it is nothing but the answer to a call; upstream's frontends count no step for it. */
function isOnlyAnswer({ outputs, schedulerStats, finishedRequests }: EngineCoreOutputs): boolean {
  return outputs.length === 0 && !schedulerStats && !finishedRequests?.length;
}

/** From the bytes of a message to whoever is concerned. A bad one is skipped, counted and reported. */
export class OutputIntake {
  readonly batches: Subject<EngineCoreOutputs> = new Subject();
  /** Messages that could not be used. */
  skipped = 0;
  readonly #routed = new Subject<EngineCoreOutputs>();
  readonly #decoder: EngineCoreOutputsDecoder;
  readonly #pool: EnginePool;
  readonly #utilities: UtilityCalls;
  readonly #report: OnDiagnostic;

  constructor(
    pool: EnginePool,
    router: OutputRouter,
    utilities: UtilityCalls,
    onDiagnostic: OnDiagnostic | undefined,
  ) {
    this.#pool = pool;
    this.#utilities = utilities;
    this.#report = safely(onDiagnostic);
    this.#decoder = new EngineCoreOutputsDecoder({ onDiagnostic: this.#report });
    this.#routed.subscribe(router); // by a Subject, which knows where to throw what a consumer's teardown throws
  }

  take(frames: readonly Uint8Array[]): void {
    let batch: EngineCoreOutputs;
    try {
      batch = this.#decoder.decode(frames);
    } catch (error) {
      this.#skip(textOf(error));
      return;
    }
    const link = this.#pool.get(batch.engineIndex);
    if (link === undefined) this.#skip('expected an engine of this client', batch.engineIndex);
    else if (link.state === 'ready' || link.state === 'leaving') {
      link.heardAt = performance.now();
      const { schedulerStats: stats } = batch;
      if (stats) link.load = (stats.numRunningReqs ?? 0) + (stats.numWaitingReqs ?? 0);
      this.#pass(batch);
    }
  }

  /** No further message comes. */
  complete(): void {
    this.batches.complete();
    this.#routed.complete();
  }

  #pass(batch: EngineCoreOutputs): void {
    if (batch.utilityOutput) {
      this.#utilities.answer(batch.utilityOutput);
      if (isOnlyAnswer(batch)) return;
    }
    this.batches.next(batch);
    this.#routed.next(batch);
  }

  #skip(message: string, engineIndex?: number): void {
    this.skipped++;
    this.#report({
      source: 'output',
      message: `${message}; skipped, ${this.skipped} so far`,
      ...(engineIndex !== undefined && { engineIndex }),
    });
  }
}
