/** What a chart remembers: the last so many points, as columns, the first of which is time. */

export type Value = number | null;

export class History {
  readonly columns: Value[][];
  readonly #most: number;

  /** `series`: columns beside time; `most`: points that are kept. */
  constructor(series: number, most: number) {
    this.#most = most;
    this.columns = Array.from({ length: series + 1 }, () => []);
  }

  /** Adds a point at a time in Unix seconds; the oldest one goes when there are too many. */
  push(time: number, values: readonly Value[]): void {
    for (const [i, column] of this.columns.entries()) {
      column.push(i === 0 ? time : (values[i - 1] ?? null));
      if (column.length > this.#most) column.shift();
    }
  }

  get last(): readonly Value[] {
    return this.columns.map((column) => column.at(-1) ?? null);
  }
}
