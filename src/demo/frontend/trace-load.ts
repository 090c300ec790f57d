import { setTimeout } from 'node:timers/promises';
import type { SimulatedRequest } from '../../simulator/index.js';
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

/** The background load: a trace's requests in their rhythm, over and over or once, at a rate that can be changed. */
export class TraceLoad {
  /** Requests a second, on average over the trace; 0 pauses it. */
  rate: number;
  /** All of it has been sent. */
  isComplete = false;
  readonly #serving: LiveServing;
  readonly #requests: AsyncIterator<TraceRequest>;
  readonly #workload: Workload;
  /** What the trace has by itself. */
  readonly #ownRate: number;
  #next: TraceRequest | undefined = undefined;
  #traceTimeMs = 0;
  #isStopped = false;
  readonly #isOnce: boolean;

  constructor(trace: Trace, serving: LiveServing, options: DemoOptions) {
    this.#serving = serving;
    this.#isOnce = options.once;
    this.#requests = (options.once ? requestsOf(trace, 0) : repeated(trace))[Symbol.asyncIterator]();
    this.#workload = new Workload(options);
    this.#ownRate = (1000 * trace.numRequests) / (trace.durationMs + PAUSE_MS);
    this.rate = options.load === 'off' ? 0 : Math.min(MOST_RATE, options.speed * this.#ownRate);
  }

  /** Until {@link stop}, or with `once` until all are sent. @throws {UsageError} if the trace's file is no longer what it was. */
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

  /** Only a trace that is replayed once has an end. */
  #end(): void {
    this.isComplete = true;
    this.stop();
  }

  stop(): void {
    this.#isStopped = true;
  }

  /** A full queue turns away whom a server would; what is replayed once is to be sent. */
  #give(request: SimulatedRequest): void {
    if (this.#isOnce) this.#serving.send(request);
    else this.#serving.offer(request);
  }

  async #sendDue(): Promise<void> {
    for (let sent = 0; sent < MOST_A_TICK && this.rate > 0 && !this.#isStopped; sent++) {
      this.#next ??= (await this.#requests.next()).value ?? undefined;
      if (this.#next === undefined) this.#end();
      if (this.#next === undefined || this.#next.arrivalTimeMs > this.#traceTimeMs) return;
      if (!this.#isStopped) this.#give(this.#workload.requestOf(this.#next));
      this.#next = undefined;
    }
  }
}

/** A trace without an end: each round follows the one before it. */
async function* repeated(trace: Trace): AsyncGenerator<TraceRequest> {
  for (let start = 0; ; start += trace.durationMs + PAUSE_MS) yield* requestsOf(trace, start);
}

async function* requestsOf(trace: Trace, start: number): AsyncGenerator<TraceRequest> {
  for await (const batch of trace.batches())
    for (const request of batch) yield { ...request, arrivalTimeMs: start + request.arrivalTimeMs };
}
