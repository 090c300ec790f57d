import type { Observable } from 'rxjs';
import type { EngineCoreOutputs } from '../engine-core/engine-core-outputs.js';
import type { EngineCoreRequest } from '../engine-core/engine-core-request.js';
import type { EngineReady } from '../engine-core/engine-ready.js';
import type { EngineCoreOutputStream } from '../router/tag-engine.js';
import type { EngineStatus } from './frontend/engine-pool.js';

/** Options of {@link EngineCoreClient.generate}. */
export interface GenerateOptions {
  /** The engine to run on; by default the request's `dataParallelRank`, else the least loaded one that is ready. */
  readonly engineIndex?: number | undefined;
}

/** A frontend of engine cores that run in other processes. */
export interface EngineCoreClient {
  /** What each engine said of itself when it was ready, by index; of the last time, for one that is lost. */
  readonly engines: ReadonlyMap<number, EngineReady>;
  /** Each step of each engine: for `withSchedulerMetrics`. Hot; completes with `close`. */
  readonly batches$: Observable<EngineCoreOutputs>;
  /** How each engine stands, first as it is at subscription. Completes with `close`. */
  readonly status$: Observable<EngineStatus>;
  /** Messages of engines that could not be read, and were skipped. */
  readonly skippedMessages: number;
  /**
   * A request's outputs, tagged with its engine, which is chosen at the call. One subscription: it sends the request,
   * unsubscribing aborts it. Ends with `EngineLostError` if its engine is lost, or none is ready.
   * @throws {TypeError | RangeError} on a bad request or an unknown engine, naming the field; nothing was sent.
   * @throws {DuplicateRequestIdError} if the id is open, or was among the last 65,536 that ended: an engine must never
   * see an id twice.
   */
  generate(request: EngineCoreRequest, options?: GenerateOptions): EngineCoreOutputStream;
  /**
   * Calls a method of one engine, or of all that are ready, and gives their answers in the order of their indexes.
   * Rejects if one of them fails or is lost, naming it.
   */
  utility(method: string, args?: readonly unknown[], engineIndex?: number): Promise<unknown[]>;
  /** Aborts what is open, ends its streams with `RequestStreamClosedError`, frees all addresses. */
  close(): Promise<void>;
}
