import type { RoutedRequest } from './routed-request.js';

/** How many open requests without an output may stand between two that have one: a prompt may take several steps. */
const LOOK_AHEAD = 4;

/**
 * The requests of an engine's last step, in its order. Engines keep that order, and a decoder gives the same string for
 * an id each time, so that most outputs find their request by comparing a pointer; a look-up by id takes 48 ns.
 */
export class StepOrder {
  #expected: RoutedRequest[] = [];
  #served: RoutedRequest[] = [];
  #numServed = 0;
  #next = 0;

  /** A step begins: what the last one served is expected. */
  begin(): void {
    const free = this.#expected;
    this.#expected = this.#served;
    // Only then: V8 gives the memory of an array back whose length is set to 0.
    if (this.#expected.length > this.#numServed) this.#expected.length = this.#numServed;
    this.#served = free;
    this.#numServed = 0;
    this.#next = 0;
  }

  /** The open request of that id, if it is among the next ones. */
  find(requestId: string): RoutedRequest | undefined {
    const expected = this.#expected;
    let left = LOOK_AHEAD;
    for (let at = this.#next; at < expected.length && left > 0; at++) {
      const candidate = expected[at]!;
      if (!candidate.isOpen) {
        if (at === this.#next) this.#next++;
      } else if (candidate.spelling === requestId) {
        this.#next = at + 1;
        return candidate;
      } else left--;
    }
    return undefined;
  }

  add(request: RoutedRequest): void {
    this.#served[this.#numServed++] = request;
  }
}
