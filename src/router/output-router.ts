import { Observable, type Observer, throwError } from 'rxjs';
import type {
  EngineCoreOutput,
  EngineCoreOutputs,
  EngineCoreStreamOutput,
} from '../engine-core/engine-core-outputs.js';
import { assertMember, assertWholeNumber, printed } from '../serving/checks.js';
import { type ErrorOf, failureOf, RequestStreamClosedError } from './errors.js';
import { OpenRequests } from './open-requests.js';
import { RoutedRequest } from './routed-request.js';
import { type Step, stepOf } from './step.js';
import { EngineCoreOutputStream } from './tag-engine.js';
import { Turns } from './turns.js';

/** Options of {@link OutputRouter.open}. */
export interface OpenOptions {
  /** Called once if the stream is unsubscribed before its end: tell the engine. What it throws, `unsubscribe` throws. */
  readonly onAbort?: ((requestId: string) => void) | undefined;
  /**
   * What the stream fails with in place of `closed`, for frontends that have an error of their own for its cause. If it
   * throws, the stream fails with that.
   */
  readonly errorOf?: ErrorOf | undefined;
}

function assertFunction(name: keyof OpenOptions, value: unknown): void {
  assertMember(name, value, 'a function', value === undefined || typeof value === 'function');
}

function checked(options: OpenOptions): OpenOptions {
  assertMember('options', options, 'an object', typeof options === 'object' && options !== null);
  const { onAbort, errorOf } = options;
  assertFunction('onAbort', onAbort);
  assertFunction('errorOf', errorOf);
  return { onAbort, errorOf };
}

/**
 * Distributes engine steps to the streams of their requests. Subscribe it to the batches of all engines; request ids
 * are one key space over them, and only batches of a request's own engine touch it. What happens while a batch is
 * delivered (another batch, the end, an engine's failure) waits for its end, so that each stream sees its outputs in
 * order; a batch touches only requests that were open when it came.
 *
 * `next`, `error` and `complete` work whatever `this` they are called with.
 * @see rust/src/llm/src/client: the request registry; vllm/v1/engine/output_processor.py
 */
export class OutputRouter implements Observer<EngineCoreOutputs> {
  readonly #requests = new OpenRequests();
  readonly #turns = new Turns();
  /** Batches that have come so far: tells what was open when one came. */
  #arrivals = 0;
  /** Set with the end of the batches: what open streams, and later ones, got in place of a final output. */
  #closed: { readonly got: string; readonly options?: ErrorOptions } | undefined;

  /**
   * Registers a request and gives the stream of its outputs, for one subscription; outputs before it are kept. A
   * second subscription gets a `SecondSubscriptionError`. After the end of the batches the stream fails with
   * {@link RequestStreamClosedError}.
   * @throws {DuplicateRequestIdError} if the id is open, or was aborted on that engine less than 30 s ago and not yet
   * let go of.
   * @throws {TypeError | RangeError} on a bad argument.
   */
  open(requestId: string, engineIndex: number, options: OpenOptions = {}): EngineCoreOutputStream {
    if (typeof requestId !== 'string')
      throw new TypeError(`requestId: expected a string, got ${printed(requestId)}`);
    assertWholeNumber('engineIndex', engineIndex);
    const { onAbort, errorOf } = checked(options);
    this.#requests.assertFree(requestId, engineIndex);
    if (this.#closed !== undefined) {
      const { got, options: cause } = this.#closed;
      const closed = () => new RequestStreamClosedError(requestId, engineIndex, got, cause);
      const failed = throwError(() => failureOf(closed(), errorOf));
      return new EngineCoreOutputStream(engineIndex, requestId, failed);
    }
    const onLeft = () => {
      this.#requests.abort(request);
      onAbort?.(requestId);
    };
    const request = new RoutedRequest(requestId, engineIndex, this.#arrivals, onLeft, errorOf);
    this.#requests.add(request);
    const outputs = new Observable<never>((subscriber) => request.subscribe(subscriber));
    return new EngineCoreOutputStream(engineIndex, requestId, outputs);
  }

  /**
   * Delivers one step. If a consumer's teardown throws, the others still get theirs before the error goes on to the
   * caller, as RxJS would pass it.
   */
  readonly next: (batch: EngineCoreOutputs) => void = (batch) => {
    const arrival = ++this.#arrivals;
    this.#turns.take((errors) => this.#deliverAll(stepOf(batch, arrival), errors));
  };

  /** Ends all open streams with {@link RequestStreamClosedError}, `error` as its cause. */
  readonly error: (error: unknown) => void = (error) => {
    this.#close('an error of the batches', { cause: error });
  };

  /** Ends all open streams with {@link RequestStreamClosedError}. */
  readonly complete: () => void = () => {
    this.#close('the end of the batches', undefined);
  };

  /**
   * An engine is gone: ends those of its streams that are open at the call with {@link RequestStreamClosedError}, and
   * frees the ids it held. Later `open` calls work: the engine may be back.
   * @throws {TypeError | RangeError} on a bad `engineIndex`.
   */
  failEngine(engineIndex: number, cause?: unknown): void {
    assertWholeNumber('engineIndex', engineIndex);
    const failing = this.#requests.giveUp(engineIndex);
    const options = cause === undefined ? undefined : { cause };
    this.#turns.take((errors) => {
      for (const request of failing) this.#end(request, 'a failure of the engine', options, errors);
    });
  }

  #deliverAll(step: Step, errors: unknown[]): void {
    const { outputs, finishedRequests, engineIndex, arrival } = step;
    this.#requests.beginStep(engineIndex);
    for (let i = 0; i < outputs.length; i++) this.#deliver(step, i, errors);
    for (const requestId of finishedRequests) {
      const request = this.#requests.of(engineIndex, requestId, arrival);
      if (request === undefined) this.#requests.letGo(engineIndex, requestId, arrival);
      else this.#end(request, 'the end of the request', undefined, errors);
    }
  }

  #deliver({ batch, outputs, engineIndex, arrival }: Step, at: number, errors: unknown[]): void {
    let request: RoutedRequest | undefined;
    let value: EngineCoreStreamOutput;
    let final: boolean;
    try {
      const output = outputs[at] as EngineCoreOutput;
      const { requestId, finishReason } = output;
      final = finishReason !== undefined && finishReason !== null;
      request = this.#requests.ofOutput(engineIndex, requestId, arrival);
      if (request === undefined) {
        if (final) this.#requests.letGo(engineIndex, requestId, arrival);
        return;
      }
      value = { engineIndex: batch.engineIndex, timestamp: batch.timestamp, output };
    } catch {
      return; // no output, or one that cannot be read: nobody's
    }
    this.#serve(request, value, final, errors);
  }

  #serve(request: RoutedRequest, value: EngineCoreStreamOutput, final: boolean, errors: unknown[]): void {
    if (final) this.#requests.remove(request);
    try {
      if (final) request.finish(value);
      else request.deliver(value);
    } catch (error) {
      errors.push(error);
    }
  }

  #end(request: RoutedRequest, got: string, options: ErrorOptions | undefined, errors: unknown[]): void {
    this.#requests.remove(request);
    try {
      const closed = new RequestStreamClosedError(request.requestId, request.engineIndex, got, options);
      request.fail(failureOf(closed, request.errorOf));
    } catch (error) {
      errors.push(error);
    }
  }

  #close(got: string, options: ErrorOptions | undefined): void {
    if (this.#closed !== undefined) return;
    this.#closed = { got, ...(options && { options }) };
    this.#turns.take((errors) => {
      for (const request of this.#requests.all()) this.#end(request, got, options, errors);
    });
  }
}
