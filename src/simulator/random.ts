/**
 * Pseudo-random numbers of one seed (mulberry32). Each `stream` of a seed is a sequence of its own, so that one
 * engine's draws do not depend on another's.
 */
export class SeededRandom {
  #state: number;

  constructor(seed: number, stream: number) {
    this.#state = Math.imul(seed | 0, 0x9e3779b1) ^ Math.imul(stream + 1, 0x85ebca6b);
  }

  /** From 0 up to 1, exclusive. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  /** True with this probability; 0 and 1 draw nothing, so an option that is off changes no other draw. */
  chance(probability: number): boolean {
    return probability > 0 && (probability >= 1 || this.next() < probability);
  }

  /** A whole number from 1 to `bound`. */
  upTo(bound: number): number {
    return 1 + Math.floor(this.next() * bound);
  }
}
