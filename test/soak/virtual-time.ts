/**
 * One clock for frontend and engines, in ticks of 1/1024 s: seconds, milliseconds and all their sums are then exact in
 * a double, and the driver's counts can be compared with `===`.
 */
export class VirtualTime {
  #ticks = 0;

  advance(ticks: number): void {
    this.#ticks += ticks;
  }

  /** Seconds, as engines stamp. */
  get seconds(): number {
    return this.#ticks / 1024;
  }

  /** Milliseconds, as `ServingMetrics` reads it. */
  now(): number {
    return this.#ticks * (1000 / 1024);
  }
}
