import { type MonoTypeOperatorFunction, Observable } from 'rxjs';
import type { EngineCoreStreamOutput } from '../engine-core/engine-core-outputs.js';
import { assertWholeNumber, printed } from '../serving/checks.js';
import type { ServingCore } from '../serving/engines/serving-core.js';
import {
  planRequest,
  promptLengthOf,
  type RequestInfo,
  type RequestPlan,
} from '../serving/request/request-info.js';
import { RequestRecorder } from '../serving/request/request-recorder.js';
import type { ServingMetrics } from '../serving/serving-metrics.js';
import { coreOf } from './core-of.js';
import { RequestSubscriber } from './request-subscriber.js';

/** What a source may say about itself; `tagEngine`, `OutputRouter` and engine clients make such streams. */
interface Tagged {
  readonly engineIndex?: unknown;
  readonly requestId?: unknown;
}

/** The engine that the request names, else the source's tag. */
function engineOf(request: RequestInfo, source: Tagged): number {
  const engineIndex: unknown = request.engineIndex ?? source.engineIndex;
  if (engineIndex === undefined || engineIndex === null) {
    throw new TypeError(
      'withRequestMetrics: expected engineIndex in the request or a source tagged with it (tagEngine, OutputRouter; ' +
        'another operator in between loses the tag), got neither',
    );
  }
  assertWholeNumber('withRequestMetrics.engineIndex', engineIndex);
  return engineIndex;
}

function planFor(core: ServingCore, request: RequestInfo, source: Tagged): RequestPlan {
  const engineIndex = engineOf(request, source);
  const tag = typeof source.requestId === 'string' ? source.requestId : undefined;
  return planRequest(request, engineIndex, tag, core.diagnostics);
}

/**
 * Records one request's vLLM metrics and mirrors its stream unchanged. One subscription is one request. It makes one
 * terminal record, at the first of finish reason, source error (`error`), completion or unsubscribe (`abort`), and
 * before that is forwarded. Durations are in seconds: time to first token and end-to-end latency on the frontend's
 * clock, all others on the engine's. A failure downstream reaches this operator as an unsubscribe. A buffering operator
 * upstream delays what it sees.
 * @throws {TypeError | RangeError} at the call if `metrics`, `numPromptTokens` or `engineIndex` is bad; when applied, if
 * neither the request nor the source names the engine. Never inside the stream.
 * @see vllm/v1/metrics/stats.py `IterationStats`; rust/src/metrics request tracker
 */
export function withRequestMetrics<T extends EngineCoreStreamOutput>(
  metrics: ServingMetrics,
  request: RequestInfo,
): MonoTypeOperatorFunction<T> {
  const core = coreOf('withRequestMetrics', metrics, request);
  if (typeof request !== 'object' || request === null) {
    throw new TypeError(`withRequestMetrics.request: expected an object, got ${printed(request)}`);
  }
  promptLengthOf('withRequestMetrics.numPromptTokens', request);
  if (request.engineIndex !== undefined && request.engineIndex !== null) engineOf(request, {});
  return (source) => {
    const plan = planFor(core, request, source as Tagged);
    return new Observable<T>((subscriber) => {
      const recorder = new RequestRecorder(core, core.activeEngine(plan.engineIndex), plan);
      const recording = new RequestSubscriber<T>(subscriber, recorder);
      try {
        source.subscribe(recording);
      } catch (error) {
        recording.error(error); // an unsubscribed Subject throws; the consumer's error is the request's, no abort
      }
    });
  };
}
