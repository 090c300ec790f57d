/** Long work in slices, between which the event loop runs. */

/**
 * After so long (ms) a slice ends, with the block of lines that is then under way: 160,000 lines take 2.6 ms of CPU
 * at a time at most, 4 ms the first time. A turn of the event loop costs some 0.1 ms.
 */
const SLICE_MS = 2;

function afterEventLoopTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof setImmediate === 'function') setImmediate(resolve);
    else setTimeout(resolve, 0);
  });
}

/** One scrape's slices. Use: `if (slices.due()) await slices.next();` */
export class Slices {
  #started: number = performance.now();

  due(): boolean {
    return performance.now() - this.#started >= SLICE_MS;
  }

  async next(): Promise<void> {
    await afterEventLoopTurn();
    this.#started = performance.now();
  }
}
