/**
 * What happens to a request inside an engine, and how it ends: types only.
 * @see vllm/v1/engine/__init__.py `EngineCoreEvent`, `FinishReason`
 */

/** Why a request ended: on the wire a number, 0 to 4 in this order. */
export type FinishReason = 'stop' | 'length' | 'abort' | 'error' | 'repetition';

/** What happened to a request inside the engine: on the wire a number, 1 to 3 in this order. */
export type EngineCoreEventType = 'queued' | 'scheduled' | 'preempted';

/** An event of one request. The engine keeps it until the request's next output, which brings it along. */
export interface EngineCoreEvent {
  readonly type: EngineCoreEventType;
  /** Seconds of the engine's monotonic clock: never to be compared with those of another process. */
  readonly timestamp: number;
}
