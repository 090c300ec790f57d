import { AbortedIds } from './aborted-ids.js';
import { DuplicateRequestIdError } from './errors.js';
import type { RoutedRequest } from './routed-request.js';
import { StepOrder } from './step-order.js';

/** True if the request was there when the batch with this arrival number came, and the batch is of its engine. */
function isMeant(request: RoutedRequest, engineIndex: number | undefined, arrival: number): boolean {
  if (request.openedAfter >= arrival) return false;
  return engineIndex === undefined || request.engineIndex === engineIndex;
}

/** The requests that are open, and the ids that are not free although they are not open. */
export class OpenRequests {
  readonly #open = new Map<string, RoutedRequest>();
  readonly #aborted = new AbortedIds();
  /** Open, but about to fail with their engine: their ids are free. Empty outside such a failure. */
  readonly #givenUp = new Set<RoutedRequest>();
  /** Of the engines that requests were opened on: what other batches say makes none. */
  readonly #orders = new Map<number | undefined, StepOrder>();
  readonly #otherOrder = new StepOrder();
  #order = this.#otherOrder;

  /** @throws {DuplicateRequestIdError} if the id cannot be opened on that engine. */
  assertFree(requestId: string, engineIndex: number): void {
    const open = this.#open.get(requestId);
    if (open !== undefined && !this.#givenUp.has(open)) {
      throw new DuplicateRequestIdError(requestId, 'one that is open');
    }
    if (this.#aborted.has(engineIndex, requestId)) {
      throw new DuplicateRequestIdError(requestId, 'one whose abort is under way');
    }
  }

  /** Its id may be that of a request that was given up: what is still under way to that one is lost. */
  add(request: RoutedRequest): void {
    const { requestId, engineIndex } = request;
    const replaced = this.#open.get(requestId);
    if (replaced !== undefined) replaced.isOpen = false;
    this.#open.set(requestId, request);
    if (!this.#orders.has(engineIndex)) this.#orders.set(engineIndex, new StepOrder());
  }

  /** The outputs that {@link ofOutput} is asked about next are a step of that engine's. */
  beginStep(engineIndex: number | undefined): void {
    this.#order = this.#orders.get(engineIndex) ?? this.#otherOrder;
    this.#order.begin();
  }

  /** As {@link of}, for the next output of the step. */
  ofOutput(engineIndex: number | undefined, requestId: string, arrival: number): RoutedRequest | undefined {
    let request = this.#order.find(requestId);
    if (request === undefined) {
      request = this.of(engineIndex, requestId, arrival);
      if (request === undefined) return undefined;
      request.spelling = requestId;
    } else if (!isMeant(request, engineIndex, arrival)) return undefined;
    this.#order.add(request);
    return request;
  }

  /** Whom a batch of that engine means; `undefined` if nobody, or one who was not yet there when the batch came. */
  of(engineIndex: number | undefined, requestId: string, arrival: number): RoutedRequest | undefined {
    const request = this.#open.get(requestId);
    return request !== undefined && isMeant(request, engineIndex, arrival) ? request : undefined;
  }

  remove(request: RoutedRequest): void {
    request.isOpen = false;
    if (this.#open.get(request.requestId) === request) this.#open.delete(request.requestId);
    this.#givenUp.delete(request);
  }

  /** Its consumer has left: the id is held until the engine has let go of it. */
  abort(request: RoutedRequest): void {
    const { engineIndex, requestId, openedAfter } = request;
    if (!this.#givenUp.has(request)) this.#aborted.add(engineIndex, requestId, openedAfter);
    this.remove(request);
  }

  /** An engine says, in the batch with this arrival number, that it knows no more of a request. */
  letGo(engineIndex: number | undefined, requestId: string, arrival: number): void {
    this.#aborted.free(engineIndex, requestId, arrival);
  }

  /** Frees the ids of an engine that is gone; gives its open requests, which are now to be ended one by one. */
  giveUp(engineIndex: number): readonly RoutedRequest[] {
    this.#aborted.freeEngine(engineIndex);
    this.#orders.delete(engineIndex);
    const requests = this.all().filter((request) => request.engineIndex === engineIndex);
    for (const request of requests) this.#givenUp.add(request);
    return requests;
  }

  all(): readonly RoutedRequest[] {
    return [...this.#open.values()];
  }
}
