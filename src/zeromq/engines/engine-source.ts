import type { Observable } from 'rxjs';
import type { EngineCoreOutputs } from '../../engine-core/engine-core-outputs.js';
import type { EngineCoreRequest } from '../../engine-core/engine-core-request.js';

/**
 * Engines to serve, without any transport; a fleet of `simulateEngines` is one. The server answers aborts and calls
 * itself: a fleet is best told to be `silent` about aborts.
 */
export interface EngineSource {
  /** Takes a request, whose id is not live on that engine. What it throws ends the request as an `error`. */
  submit(engineIndex: number, request: EngineCoreRequest): unknown;
  /** Only ids that are live. */
  abort(engineIndex: number, ids: readonly string[]): void;
  /** Subscribed to before the engine's first request. Its error is the engine's death. */
  outputs(engineIndex: number): Observable<EngineCoreOutputs>;
}

/** What an engine does about a client's abort: today's Python engines send nothing, where upstream's mock answers. */
export type AbortReply = 'final-output' | 'silent';
