import type { TimestampProvider } from 'rxjs';

/**
 * An engine's monotonic clock, in seconds. It starts anywhere, so that it cannot be taken for the frontend's
 * without the figures showing it, and never goes back, whatever the provider does.
 */
export class EngineClock {
  readonly #provider: TimestampProvider;
  readonly #origin: number;
  readonly #offset: number;
  #last = 0;

  /** `offset` in seconds; the provider in milliseconds. */
  constructor(provider: TimestampProvider, offset: number) {
    this.#provider = provider;
    this.#origin = provider.now();
    this.#offset = offset;
  }

  now(): number {
    this.#last = Math.max(this.#last, this.#offset + (this.#provider.now() - this.#origin) / 1000);
    return this.#last;
  }
}
