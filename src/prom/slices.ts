/** Long work in slices, between which the event loop runs. */

/**
 * After so long (ms) a slice ends, with the block of lines that is then under way: 160,000 lines take 2.6 ms of CPU
 * at a time at most, 4 ms the first time. A turn of the event loop costs some 0.1 ms.
 */
const SLICE_MS = 2;

/** Calls back in a later turn of the event loop. Taken at load: a host's fake timers must not hold a scrape up. */
const later: (resume: () => void) => void =
  typeof setImmediate === 'function' ? setImmediate : (resume) => setTimeout(resume, 0);

/** One scrape's slices. Use: `if (slices.due()) await slices.next();` */
export class Slices {
  #started: number = performance.now();

  due(): boolean {
    return performance.now() - this.#started >= SLICE_MS;
  }

  async next(): Promise<void> {
    await new Promise<void>(later);
    this.#started = performance.now();
  }
}
