import type { Observable } from 'rxjs';
import type { EngineCoreOutputs } from '../../engine-core/engine-core-outputs.js';
import type {
  EngineCoreRequestLike,
  MultiModalCacheQuery,
  SimulatedRequest,
  SubmittedRequest,
} from '../request.js';

/** What an engine's requests and KV blocks stand at. */
export interface EngineSnapshot {
  readonly engineIndex: number;
  readonly numRunning: number;
  readonly numWaiting: number;
  readonly numDeferred: number;
  readonly numKvBlocks: number;
  /** Held by requests. */
  readonly numUsedKvBlocks: number;
  /** Free, but still found by the prefix cache. */
  readonly numCachedKvBlocks: number;
  /** Preemptions so far. */
  readonly numPreemptions: number;
}

/**
 * A running fleet. Hot: who subscribes late misses what was sent. `requests` start arriving with the first
 * subscription to `batches$` or `outputs()`; submitted ones run at once. Also an `EngineSource` of
 * `rx-engine-metrics/zeromq`.
 */
export interface EngineFleet {
  readonly engines: readonly number[];
  /** Every engine's batches in order of time. Completes when `requests` (or `end()`) leave nothing to do. */
  readonly batches$: Observable<EngineCoreOutputs>;
  /** Each request as it reaches its engine, always before its first output: where to open its stream. */
  readonly submitted$: Observable<SubmittedRequest>;
  readonly multiModalCache$: Observable<MultiModalCacheQuery>;
  /** One engine's part of `batches$`. @throws {RangeError} for an unknown engine. */
  outputs(engineIndex: number): Observable<EngineCoreOutputs>;
  /**
   * Queues a request now, on the given engine, else on the least loaded one. Returns the engine's index.
   * @throws {TypeError|RangeError} for a bad request, an unknown engine, an id that is live, an ended fleet.
   */
  submit(request: SimulatedRequest, engineIndex?: number): number;
  submit(engineIndex: number, request: SimulatedRequest | EngineCoreRequestLike): number;
  /** A client's abort: unknown and ended ids are ignored, blocks are free at once. See `abortReply`. */
  abort(engineIndex: number, ids: readonly string[]): void;
  /** An engine that dies and starts anew: its requests and cache are gone, nothing is sent about them. */
  crash(engineIndex: number): void;
  snapshot(engineIndex: number): EngineSnapshot;
  /** No more requests: streams complete when the present ones are done. */
  end(): void;
  /** Stops at once: streams complete, unfinished requests are dropped, timers are gone. */
  close(): void;
}
