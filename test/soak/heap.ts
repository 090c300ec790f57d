/** Whether the heap grows with the requests served. */

interface Measure {
  readonly requests: number;
  readonly bytes: number;
}

export class Heap {
  readonly #measures: Measure[] = [];

  /** To be taken at rest: what lives then, lives for good. */
  measure(requests: number): void {
    const { gc } = globalThis;
    if (gc === undefined) throw new Error('node: expected --expose-gc');
    gc();
    gc();
    this.#measures.push({ requests, bytes: process.memoryUsage().heapUsed });
  }

  get size(): number {
    return this.#measures.length;
  }

  get last(): number {
    return this.#measures.at(-1)?.bytes ?? 0;
  }

  /**
   * Bytes per request, by least squares. The first fifth is not looked at: there code is compiled and tables grow to
   * the size they keep.
   */
  get slope(): number {
    const measures = this.#measures.slice(Math.floor(this.#measures.length / 5));
    const meanX = mean(measures.map(({ requests }) => requests));
    const meanY = mean(measures.map(({ bytes }) => bytes));
    let above = 0;
    let below = 0;
    for (const { requests, bytes } of measures) {
      above += (requests - meanX) * (bytes - meanY);
      below += (requests - meanX) ** 2;
    }
    return below === 0 ? 0 : above / below;
  }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
