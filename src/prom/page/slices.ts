/** Long work in slices, between which the event loop runs. */

/**
 * After so long (ms) a slice ends, with the block of lines that is then under way: at 512 engines, 160,000 lines, the
 * median of a scrape's longest blocks is 2.4 ms in chunks and 3.2 ms as a string. A turn of the event loop costs some
 * 0.1 ms, so that 1 ms here (1.4 and 2.2 ms) costs a page of 64 engines 5 %.
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
