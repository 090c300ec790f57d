import { Observable } from 'rxjs';
import type { EngineCoreStreamOutput } from '../engine-core/engine-core-outputs.js';
import { assertWholeNumber, printed } from '../serving/checks.js';

/** One request's outputs, tagged with the engine that makes them. */
export class EngineCoreOutputStream<
  T extends EngineCoreStreamOutput = EngineCoreStreamOutput,
> extends Observable<T> {
  readonly engineIndex: number;
  readonly requestId: string | undefined;

  /** @throws {TypeError | RangeError} if `engineIndex` is not a whole number of at least 0. */
  constructor(engineIndex: number, requestId: string | undefined, source: Observable<T>) {
    super((subscriber) => source.subscribe(subscriber));
    assertWholeNumber('engineIndex', engineIndex);
    this.engineIndex = engineIndex;
    this.requestId = requestId;
  }
}

/**
 * Tags a stream with its engine, and with its request's id, for `withRequestMetrics` right after it: another
 * operator in between loses the tag.
 * @throws {TypeError | RangeError} at the call if `engineIndex` is not a whole number of at least 0, or `requestId`
 * not a string.
 */
export function tagEngine<T extends EngineCoreStreamOutput>(
  engineIndex: number,
  requestId?: string,
): (source: Observable<T>) => EngineCoreOutputStream<T> {
  assertWholeNumber('tagEngine.engineIndex', engineIndex);
  if (requestId !== undefined && typeof requestId !== 'string') {
    throw new TypeError(`tagEngine.requestId: expected a string, got ${printed(requestId)}`);
  }
  return (source) => new EngineCoreOutputStream(engineIndex, requestId, source);
}
