/** Chance with a seed: mulberry32. The driver must run the same way twice. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** From 0 to 1, exclusive. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0 to `end`, exclusive. */
  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  chance(p: number): boolean {
    return this.next() < p;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }
}

/** Draws from a list of things and their weights. */
export class Lottery<T> {
  readonly #things: readonly (readonly [T, number])[];
  readonly #total: number;

  constructor(things: readonly (readonly [T, number])[]) {
    this.#things = things;
    this.#total = things.reduce((sum, [, weight]) => sum + weight, 0);
  }

  draw(random: Random): T {
    let left = random.next() * this.#total;
    for (const [thing, weight] of this.#things) {
      left -= weight;
      if (left < 0) return thing;
    }
    return this.#things[0]![0];
  }
}
