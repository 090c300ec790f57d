import { Observable, type Observer, throwError } from 'rxjs';
import { assertWholeNumber, printed } from '../serving/checks.js';
import type { EngineCoreOutput, EngineCoreOutputs } from '../serving/engine-core.js';
import { AbortedIds } from './aborted-ids.js';
import { DuplicateRequestIdError, RequestStreamClosedError } from './errors.js';
import { RoutedRequest } from './routed-request.js';
import { EngineCoreOutputStream } from './tag-engine.js';

/** Options of {@link OutputRouter.open}. */
export interface OpenOptions {
  /** Called once if the stream is unsubscribed before its end: tell the engine. What it throws, `unsubscribe` throws. */
  readonly onAbort?: (requestId: string) => void;
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
    if (Array.isArray(batch?.outputs))
      for (const output of batch.outputs) this.#deliver(output, batch, errors);
    if (Array.isArray(batch?.finishedRequests)) {
      for (const requestId of batch.finishedRequests as readonly string[]) {
        this.#end(requestId, 'the end of the request', undefined, errors);
        this.#aborted.free(requestId);
      }
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

  #deliver(output: EngineCoreOutput, { engineIndex, timestamp }: EngineCoreOutputs, errors: unknown[]): void {
    if (typeof output !== 'object' || output === null) return;
    const { requestId, finishReason } = output;
    const final = finishReason !== undefined && finishReason !== null;
    const open = this.#open.get(requestId);
    if (open === undefined) {
      if (final) this.#aborted.free(requestId);
      return;
    }
    if (final) this.#open.delete(requestId);
    try {
      open.request.deliver({ engineIndex, timestamp, output });
      if (final) open.request.end({});
    } catch (error) {
      errors.push(error);
    }
  }

  #end(requestId: string, got: string, options: ErrorOptions | undefined, errors: unknown[]): void {
    const open = this.#open.get(requestId);
    if (open === undefined) return;
    this.#open.delete(requestId);
    try {
      open.request.end({ error: new RequestStreamClosedError(requestId, open.engineIndex, got, options) });
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
