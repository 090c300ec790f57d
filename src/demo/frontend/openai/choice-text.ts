import { tokenText } from './tokens.js';

/**
 * The text of one choice as its tokens come. What could be the beginning of a stop string is held back until the next
 * token tells, so that no part of a stop string is ever sent.
 */
export class ChoiceText {
  readonly #seed: number;
  readonly #stops: readonly string[];
  #numTokens = 0;
  #held = '';
  #hasStopped = false;

  constructor(seed: number, stops: readonly string[]) {
    this.#seed = seed;
    this.#stops = stops;
  }

  /** A stop string has come: nothing after it counts. */
  get hasStopped(): boolean {
    return this.#hasStopped;
  }

  /** What may be sent after so many more tokens; everything but a stop string if `isLast`. */
  add(numTokens: number, isLast: boolean): string {
    for (let i = 0; i < numTokens; i++) this.#held += tokenText(this.#seed, this.#numTokens++);
    const stop = this.#firstStop();
    this.#hasStopped = stop >= 0;
    const end = this.#hasStopped
      ? stop
      : isLast
        ? this.#held.length
        : this.#held.length - this.#numDoubtful();
    const text = this.#held.slice(0, end);
    this.#held = this.#held.slice(end);
    return text;
  }

  #firstStop(): number {
    const places = this.#stops.map((stop) => this.#held.indexOf(stop)).filter((place) => place >= 0);
    return places.length === 0 ? -1 : Math.min(...places);
  }

  /** How many characters at the end may be the beginning of a stop string. */
  #numDoubtful(): number {
    let most = 0;
    for (const stop of this.#stops)
      for (let length = Math.min(stop.length - 1, this.#held.length); length > most; length--)
        if (this.#held.endsWith(stop.slice(0, length))) most = length;
    return most;
  }
}
