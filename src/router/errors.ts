/** How a request's stream can fail, beside its engine's own errors. */

/** A stream that ended without its final output. */
export class RequestStreamClosedError extends Error {
  override readonly name = 'RequestStreamClosedError';
  readonly requestId: string;
  readonly engineIndex: number;

  /** `cause` is what ended the batches, if they failed, or the engine. */
  constructor(requestId: string, engineIndex: number, got: string, options?: ErrorOptions) {
    super(`request ${requestId} on engine ${engineIndex}: expected a final output, got ${got}`, options);
    this.requestId = requestId;
    this.engineIndex = engineIndex;
  }
}

/** A frontend's own error for a stream that ended without its final output. */
export type ErrorOf = (closed: RequestStreamClosedError) => unknown;

/** What the stream fails with; nothing that `errorOf` throws may keep it from ending. */
export function failureOf(closed: RequestStreamClosedError, errorOf: ErrorOf | undefined): unknown {
  if (errorOf === undefined) return closed;
  try {
    return errorOf(closed);
  } catch (error) {
    return error;
  }
}

/** An id that is in use, or whose aborted request the engine has not yet let go of. */
export class DuplicateRequestIdError extends Error {
  override readonly name = 'DuplicateRequestIdError';
  readonly requestId: string;

  constructor(requestId: string, got: string) {
    super(`requestId ${requestId}: expected an id that is free, got ${got}`);
    this.requestId = requestId;
  }
}

/** What a second subscription to a routed stream gets; the first one is not disturbed. */
export class SecondSubscriptionError extends Error {
  override readonly name = 'SecondSubscriptionError';
  readonly requestId: string;

  constructor(requestId: string) {
    super(`request ${requestId}: expected one subscription, got a second one`);
    this.requestId = requestId;
  }
}
