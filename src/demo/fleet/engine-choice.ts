/** Who gets the next request: the least loaded, and of equal loads each in turn. */
export class EngineChoice {
  #lastChosen = -1;

  /** One of `candidates`, which ascend; `undefined` if there are none. */
  pick(candidates: readonly number[], loadOf: (index: number) => number): number | undefined {
    const turn = candidates.findIndex((index) => index > this.#lastChosen);
    const inTurn = turn > 0 ? [...candidates.slice(turn), ...candidates.slice(0, turn)] : candidates;
    const loads = inTurn.map(loadOf);
    const chosen = inTurn[loads.indexOf(Math.min(...loads))];
    if (chosen !== undefined) this.#lastChosen = chosen;
    return chosen;
  }
}
