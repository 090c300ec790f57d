/** A piece of work; what its consumers throw goes into `errors`, so that the others still get theirs. */
export type Turn = (errors: unknown[]) => void;

/**
 * Does work in the order in which it was asked for, one piece after the other: what is asked for from inside a piece
 * waits for its end. A consumer may so make an engine step while it is being served, to any depth, and no stream sees
 * a later output first.
 */
export class Turns {
  #waiting: Turn[] | undefined;

  /** @throws the first of the errors, after the last piece of work. */
  take(turn: Turn): void {
    if (this.#waiting !== undefined) {
      this.#waiting.push(turn);
      return;
    }
    const errors: unknown[] = [];
    let next = [turn];
    while (next.length > 0) {
      this.#waiting = [];
      for (const each of next) {
        try {
          each(errors);
        } catch (error) {
          errors.push(error);
        }
      }
      next = this.#waiting;
    }
    this.#waiting = undefined;
    if (errors.length > 0) throw errors[0];
  }
}
