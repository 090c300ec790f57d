import type { SchedulerLike, Subscription } from 'rxjs';
import { finiteNumber } from '../../serving/checks.js';
import type { SimulatedRequest } from '../request.js';

/** Where arrivals go. */
export interface ArrivalSink {
  arrive(request: SimulatedRequest): void;
  /** Nothing more comes. */
  exhausted(): void;
  /** The iterable, or a request in it, is bad. */
  failed(error: unknown): void;
}

/** Hands out requests at their arrival times. Only the next one is ever on the scheduler. */
export class ArrivalFeed {
  readonly #iterator: Iterator<SimulatedRequest>;
  readonly #scheduler: SchedulerLike;
  readonly #sink: ArrivalSink;
  #timer: Subscription | undefined = undefined;
  #next: SimulatedRequest | undefined = undefined;
  #isStopped = false;
  /** Scheduler time of arrival time 0, in milliseconds. */
  #origin = 0;
  #lastArrivalMs = 0;

  constructor(requests: Iterable<SimulatedRequest>, scheduler: SchedulerLike, sink: ArrivalSink) {
    this.#iterator = requests[Symbol.iterator]();
    this.#scheduler = scheduler;
    this.#sink = sink;
  }

  /** Arrival times count from now. */
  start(): void {
    this.#origin = this.#scheduler.now();
    try {
      this.#pull();
    } catch (error) {
      this.#sink.failed(error);
    }
  }

  stop(): void {
    this.#isStopped = true;
    this.#timer?.unsubscribe();
    this.#iterator.return?.();
  }

  /** Called by the scheduler only. All requests of one moment arrive in one go. */
  turn(): void {
    try {
      do {
        this.#sink.arrive(this.#next!); // there is one whenever a turn is scheduled
        if (this.#isStopped) return;
      } while (this.#pull());
    } catch (error) {
      this.#sink.failed(error);
    }
  }

  /** Reads the next request; true if it is due, else its turn is scheduled. */
  #pull(): boolean {
    const { done, value } = this.#iterator.next();
    if (done === true) {
      this.#sink.exhausted();
      return false;
    }
    this.#next = value;
    this.#lastArrivalMs = finiteNumber('arrivalTimeMs', value.arrivalTimeMs ?? 0, this.#lastArrivalMs);
    const delayMs = this.#origin + this.#lastArrivalMs - this.#scheduler.now();
    if (delayMs <= 0 && this.#timer !== undefined) return true;
    this.#timer = this.#scheduler.schedule<ArrivalFeed>(turn, Math.max(0, delayMs), this);
    return false;
  }
}

function turn(feed?: ArrivalFeed): void {
  feed?.turn();
}
