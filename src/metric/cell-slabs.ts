/** Where a series' cells stand: from `at` on in a slab that it shares with others of its family. */
export interface CellRange {
  readonly slab: Float64Array;
  readonly at: number;
}

/** Series of the first slab of a family, and of each further one. */
const FIRST = 8;
const FURTHER = 64;

/**
 * The cells of a family's series, side by side: engines that are visited in turn then share cache lines and pages.
 * Against an array for each series an output costs a third at 1,024 engines (`npm run bench`). Ranges are not used
 * again; a slab goes when the last of its series does.
 */
export class CellSlabs {
  readonly #size: number;
  #slab: Float64Array = new Float64Array(0);
  #next = 0;

  /** `size`: cells of a series. */
  constructor(size: number) {
    this.#size = size;
  }

  take(): CellRange {
    if (this.#next === this.#slab.length) {
      this.#slab = new Float64Array(this.#size * (this.#next === 0 ? FIRST : FURTHER));
      this.#next = 0;
    }
    const at = this.#next;
    this.#next += this.#size;
    return { slab: this.#slab, at };
  }
}
