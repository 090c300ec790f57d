import { setTimeout } from 'node:timers/promises';
import type { DemoOptions } from '../command/options.js';
import { Workload } from '../run/workload.js';
import type { Trace, TraceRequest } from '../trace/trace.js';
import type { LiveServing } from './live-serving.js';

const TICK_MS = 10;
/** Requests a second: more than the engines of a demo keep up with. */
export const MOST_RATE = 10_000;
/** Between the end of a trace and its next beginning, in milliseconds of its time: a trace may be one moment long. */
const PAUSE_MS = 1000;
/** Of one tick, so that others get their turn. */
const MOST_A_TICK = 200;

/** The background load: a trace's requests in their rhythm, over and over, at a rate that can be changed. */
export class TraceLoad {
  /** Requests a second, on average over the trace; 0 pauses it. */
  rate: number;
  readonly #serving: LiveServing;
  readonly #requests: AsyncIterator<TraceRequest>;
  readonly #workload: Workload;
  /** What the trace has by itself. */
  readonly #ownRate: number;
  #next: TraceRequest | undefined = undefined;
  #traceTimeMs = 0;
  #isStopped = false;

  constructor(trace: Trace, serving: LiveServing, options: DemoOptions) {
    this.#serving = serving;
    this.#requests = repeated(trace)[Symbol.asyncIterator]();
    this.#workload = new Workload(options);
    this.#ownRate = (1000 * trace.numRequests) / (trace.durationMs + PAUSE_MS);
    this.rate = options.load === 'off' ? 0 : Math.min(MOST_RATE, options.speed * this.#ownRate);
  }

  /** Until {@link stop}. @throws {UsageError} if the trace's file is no longer what it was. */
  async run(): Promise<void> {
    let last = performance.now();
    while (!this.#isStopped) {
      const now = performance.now();
      this.#traceTimeMs += ((now - last) * this.rate) / this.#ownRate;
      last = now;
      await this.#sendDue();
      await setTimeout(TICK_MS);
    }
    await this.#requests.return?.();
  }

  stop(): void {
    this.#isStopped = true;
  }

  async #sendDue(): Promise<void> {
    for (let sent = 0; sent < MOST_A_TICK && this.rate > 0 && !this.#isStopped; sent++) {
      this.#next ??= (await this.#requests.next()).value as TraceRequest; // it has no end
      if (this.#next.arrivalTimeMs > this.#traceTimeMs) return;
      if (!this.#isStopped) this.#serving.offer(this.#workload.requestOf(this.#next));
      this.#next = undefined;
    }
  }
}

/** A trace without an end: each round follows the one before it. */
async function* repeated(trace: Trace): AsyncGenerator<TraceRequest> {
  for (let start = 0; ; start += trace.durationMs + PAUSE_MS)
    for await (const batch of trace.batches())
      for (const request of batch) yield { ...request, arrivalTimeMs: start + request.arrivalTimeMs };
}
