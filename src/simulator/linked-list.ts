import type { LiveRequest } from './core/live-request.js';

/** First come, first served. A linked list through the requests: every operation is constant time. */
export class RequestQueue {
  size = 0;
  head: LiveRequest | undefined = undefined;
  #tail: LiveRequest | undefined = undefined;

  push(request: LiveRequest): void {
    request.queue = this;
    request.previous = this.#tail;
    request.next = undefined;
    if (this.#tail === undefined) this.head = request;
    else this.#tail.next = request;
    this.#tail = request;
    this.size++;
  }

  unshift(request: LiveRequest): void {
    request.queue = this;
    request.previous = undefined;
    request.next = this.head;
    if (this.head === undefined) this.#tail = request;
    else this.head.previous = request;
    this.head = request;
    this.size++;
  }

  pop(): LiveRequest | undefined {
    const request = this.#tail;
    if (request !== undefined) this.remove(request);
    return request;
  }

  remove(request: LiveRequest): void {
    const { previous, next } = request;
    if (previous === undefined) this.head = next;
    else previous.next = next;
    if (next === undefined) this.#tail = previous;
    else next.previous = previous;
    request.queue = undefined;
    request.previous = undefined;
    request.next = undefined;
    this.size--;
  }
}
