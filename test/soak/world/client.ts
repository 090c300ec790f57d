/** One request's reader: it counts what it sees, and leaves as its plan says. */
import type { Observer, Subscription } from 'rxjs';
import type { EngineCoreStreamOutput } from '../../../src/index.js';
import type { Ledger } from '../ledger.js';
import type { VirtualTime } from '../virtual-time.js';
import type { Observed } from './observed.js';

export class Client implements Observer<EngineCoreStreamOutput> {
  readonly observed: Observed;
  subscription: Subscription | undefined;
  #seen = 0;
  readonly #ledger: Ledger;
  readonly #time: VirtualTime;

  constructor(observed: Observed, ledger: Ledger, time: VirtualTime) {
    this.observed = observed;
    this.#ledger = ledger;
    this.#time = time;
  }

  next(value: EngineCoreStreamOutput): void {
    const { fate } = this.observed.plan;
    if (fate !== 'consumer throws') this.see(value);
    if (fate === 'unsubscribe inside next' && this.isDue) this.leave();
  }

  /** True once it has seen what its plan lets it see. */
  get isDue(): boolean {
    return this.#seen >= this.observed.plan.at;
  }

  /** Called instead of `next` by an operator below ours that throws right after. */
  see(value: EngineCoreStreamOutput): void {
    this.#seen++;
    this.#ledger.outputsReceived++;
    this.observed.output(value, this.#time.now());
  }

  /** The engine's or the router's error; of the consumer's own making it reaches the source as an unsubscribe. */
  error(error: unknown): void {
    const own = error instanceof ConsumerError;
    if (own && !this.observed.ended) this.#ledger.left++;
    this.observed.end(own ? 'abort' : 'error', this.#time.now());
  }

  complete(): void {
    if (!this.observed.ended) this.#ledger.left++;
    this.observed.end('abort', this.#time.now());
  }

  leave(): void {
    if (this.observed.ended) return;
    this.#ledger.left++;
    this.subscription?.unsubscribe();
    this.observed.end(this.observed.plan.fate === 'stop string' ? 'stop' : 'abort', this.#time.now());
  }
}

export class ConsumerError extends Error {}
