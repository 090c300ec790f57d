import type { Trace, TraceRequest } from '../trace/trace.js';

/**
 * A trace's requests, read ahead of the clock: the engines take them one by one and cannot wait, so time may run only
 * as far as everything that arrives is here.
 */
export class RequestSupply implements Iterable<TraceRequest> {
  readonly #batches: AsyncIterator<readonly TraceRequest[]>;
  readonly #buffer: TraceRequest[] = [];
  #position = 0;
  #lastArrivalMs = -1;
  #horizonMs = -1;
  #isComplete = false;

  constructor(trace: Trace) {
    this.#batches = trace.batches()[Symbol.asyncIterator]();
  }

  /** Trace time in milliseconds up to which all arrivals are here, and the first one after it. */
  get horizonMs(): number {
    return this.#horizonMs;
  }

  /** Reads on until the horizon is after `nowMs`. @throws {UsageError} if the file is no longer what it was. */
  async fill(nowMs: number): Promise<void> {
    while (this.#horizonMs <= nowMs) {
      const { done, value } = await this.#batches.next();
      if (done === true) {
        this.#isComplete = true;
        this.#horizonMs = Infinity;
      } else this.#add(value);
    }
  }

  /** Lets go of the file. */
  async close(): Promise<void> {
    await this.#batches.return?.();
  }

  *[Symbol.iterator](): Generator<TraceRequest> {
    while (this.#position < this.#buffer.length || !this.#isComplete) {
      const request = this.#buffer[this.#position++];
      if (request === undefined) throw new Error('the clock ran past the horizon');
      yield request;
    }
  }

  #add(batch: readonly TraceRequest[]): void {
    this.#buffer.splice(0, this.#position);
    this.#position = 0;
    for (const request of batch) this.#buffer.push(request);
    const last = batch.at(-1)?.arrivalTimeMs ?? this.#lastArrivalMs;
    if (last === this.#lastArrivalMs) return;
    const before = batch.findLast(({ arrivalTimeMs }) => arrivalTimeMs < last)?.arrivalTimeMs;
    this.#horizonMs = before ?? this.#lastArrivalMs;
    this.#lastArrivalMs = last;
  }
}
