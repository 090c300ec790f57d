import { Observable, type Observer, throwError } from 'rxjs';
import type {
  EngineCoreOutput,
  EngineCoreOutputs,
  EngineCoreStreamOutput,
} from '../engine-core/engine-core-outputs.js';
import { assertWholeNumber, printed } from '../serving/checks.js';
import { AbortedIds } from './aborted-ids.js';
import { DuplicateRequestIdError, RequestStreamClosedError } from './errors.js';
import { RoutedRequest } from './routed-request.js';
import { EngineCoreOutputStream } from './tag-engine.js';

/** Options of {@link OutputRouter.open}. */
export interface OpenOptions {
  /** Called once if the stream is unsubscribed before its end: tell the engine. What it throws, `unsubscribe` throws. */
  readonly onAbort?: ((requestId: string) => void) | undefined;
}

const NOTHING: readonly never[] = [];

/** A batch's outputs, not yet read; none if there is no list. */
function outputsOf(batch: EngineCoreOutputs): readonly unknown[] {
  try {
    const { outputs } = batch;
    return Array.isArray(outputs) && outputs.length > 0 ? outputs : NOTHING;
  } catch {
    return NOTHING;
  }
}

/** The ids of the requests that a batch says have ended; none if they cannot be read. */
function finishedOf(batch: EngineCoreOutputs): readonly string[] {
  try {
    const { finishedRequests } = batch;
    return Array.isArray(finishedRequests) ? [...finishedRequests] : NOTHING;
  } catch {
    return NOTHING;
  }
}

interface OpenRequest {
  readonly request: RoutedRequest;
  readonly engineIndex: number;
}

/**
 * Distributes engine steps to the streams of their requests. Subscribe it to the batches of all engines; request ids
 * are one key space over them.
 * @see rust/src/llm/src/client: the request registry; vllm/v1/engine/output_processor.py
 */
export class OutputRouter implements Observer<EngineCoreOutputs> {
  readonly #open = new Map<string, OpenRequest>();
  readonly #aborted = new AbortedIds();
  /** Set with the end of the batches: what open streams, and later ones, got in place of a final output. */
  #closed: { readonly got: string; readonly options?: ErrorOptions } | undefined;

  /**
   * Registers a request and gives the stream of its outputs, for one subscription; outputs before it are kept.
   * After the end of the batches the stream fails with {@link RequestStreamClosedError}.
   * @throws {DuplicateRequestIdError} if the id is open, or aborted and not yet let go of by its engine.
   * @throws {TypeError | RangeError} on a bad argument.
   */
  open(requestId: string, engineIndex: number, { onAbort }: OpenOptions = {}): EngineCoreOutputStream {
    if (typeof requestId !== 'string')
      throw new TypeError(`requestId: expected a string, got ${printed(requestId)}`);
    assertWholeNumber('engineIndex', engineIndex);
    if (this.#open.has(requestId)) throw new DuplicateRequestIdError(requestId, 'one that is open');
    if (this.#aborted.has(requestId))
      throw new DuplicateRequestIdError(requestId, 'one whose abort is under way');
    if (this.#closed !== undefined) {
      const { got, options } = this.#closed;
      const closed = () => new RequestStreamClosedError(requestId, engineIndex, got, options);
      return new EngineCoreOutputStream(engineIndex, requestId, throwError(closed));
    }
    const request = new RoutedRequest(requestId, () => {
      if (this.#open.delete(requestId)) this.#aborted.add(requestId);
      onAbort?.(requestId);
    });
    this.#open.set(requestId, { request, engineIndex });
    const outputs = new Observable<never>((subscriber) => request.subscribe(subscriber));
    return new EngineCoreOutputStream(engineIndex, requestId, outputs);
  }

  /**
   * Delivers one step. If a consumer's teardown throws, the others still get theirs before the error goes on to the
   * caller, as RxJS would pass it.
   */
  next(batch: EngineCoreOutputs): void {
    const errors: unknown[] = [];
    const outputs = outputsOf(batch);
    for (let i = 0; i < outputs.length; i++) this.#deliver(outputs, i, batch, errors);
    for (const requestId of finishedOf(batch)) {
      this.#end(requestId, 'the end of the request', undefined, errors);
      this.#aborted.free(requestId);
    }
    if (errors.length > 0) throw errors[0];
  }

  /** Ends all open streams with {@link RequestStreamClosedError}, `error` as its cause. */
  error(error: unknown): void {
    this.#close('an error of the batches', { cause: error });
  }

  /** Ends all open streams with {@link RequestStreamClosedError}. */
  complete(): void {
    this.#close('the end of the batches', undefined);
  }

  #deliver(outputs: readonly unknown[], at: number, batch: EngineCoreOutputs, errors: unknown[]): void {
    let value: EngineCoreStreamOutput;
    let open: OpenRequest | undefined;
    let final: boolean;
    try {
      const output = outputs[at] as EngineCoreOutput;
      const { requestId, finishReason } = output;
      final = finishReason !== undefined && finishReason !== null;
      open = this.#open.get(requestId);
      if (open === undefined) {
        if (final) this.#aborted.free(requestId);
        return;
      }
      value = { engineIndex: batch.engineIndex, timestamp: batch.timestamp, output };
      if (final) this.#open.delete(requestId);
    } catch {
      return; // no output, or one that cannot be read: nobody's
    }
    try {
      if (final) open.request.finish(value);
      else open.request.deliver(value);
    } catch (error) {
      errors.push(error);
    }
  }

  #end(requestId: string, got: string, options: ErrorOptions | undefined, errors: unknown[]): void {
    const open = this.#open.get(requestId);
    if (open === undefined) return;
    this.#open.delete(requestId);
    try {
      open.request.fail(new RequestStreamClosedError(requestId, open.engineIndex, got, options));
    } catch (error) {
      errors.push(error);
    }
  }

  #close(got: string, options: ErrorOptions | undefined): void {
    if (this.#closed !== undefined) return;
    this.#closed = { got, ...(options && { options }) };
    const errors: unknown[] = [];
    for (const requestId of [...this.#open.keys()]) this.#end(requestId, got, options, errors);
    if (errors.length > 0) throw errors[0];
  }
}
