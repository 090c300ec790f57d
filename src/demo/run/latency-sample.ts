import { SeededRandom } from '../../simulator/random.js';

/** 8 MB a sample: 50 times the traces that come with the demo, and a bound for one that does not end. */
const MOST_KEPT = 2 ** 20;
const SAMPLE_STREAM = -3;

/** Latencies in seconds: all of them up to a million, beyond that as many, each as likely to be kept as any other. */
export class LatencySample {
  count = 0;
  readonly values: number[] = [];
  readonly #mostKept: number;
  readonly #random: SeededRandom = new SeededRandom(1, SAMPLE_STREAM);

  constructor(mostKept: number = MOST_KEPT) {
    this.#mostKept = mostKept;
  }

  get isExact(): boolean {
    return this.count === this.values.length;
  }

  /** Vitter's algorithm R: the n-th value is kept with probability `mostKept / n`, in a place of chance. */
  add(seconds: number): void {
    this.count++;
    if (this.values.length < this.#mostKept) {
      this.values.push(seconds);
      return;
    }
    const place = this.#random.upTo(this.count) - 1;
    if (place < this.#mostKept) this.values[place] = seconds;
  }
}
