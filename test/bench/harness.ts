/** Measuring: paired short rounds in alternating order, medians, and rows of the table. */

/** One figure over the rounds. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** One row of the table. */
export interface Row {
  readonly what: string;
  readonly measured: string;
  readonly target: string;
  readonly met: boolean | undefined;
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  return { median: sorted[sorted.length >> 1]!, min: sorted[0]!, max: sorted[sorted.length - 1]! };
}

/** Nanoseconds that `body` takes. */
export function timed(body: () => void): number {
  const start = process.hrtime.bigint();
  body();
  return Number(process.hrtime.bigint() - start);
}

/** Figures of several competitors, round by round. */
export class Rounds<K extends string> {
  readonly #values = new Map<K, number[]>();

  constructor(kinds: readonly K[]) {
    for (const kind of kinds) this.#values.set(kind, []);
  }

  add(kind: K, value: number): void {
    this.#values.get(kind)!.push(value);
  }

  of(kind: K): Spread {
    return spreadOf(this.#values.get(kind)!);
  }

  /** The median of the rounds' own ratios: what disturbs a round disturbs both. */
  ratio(kind: K, to: K): Spread {
    const others = this.#values.get(to)!;
    return spreadOf(this.#values.get(kind)!.map((value, i) => value / others[i]!));
  }

  /** The median of the rounds' own differences. */
  difference(kind: K, to: K): Spread {
    const others = this.#values.get(to)!;
    return spreadOf(this.#values.get(kind)!.map((value, i) => value - others[i]!));
  }
}

/** Runs every competitor once a round, in alternating order; the first rounds only warm up. */
export function pairedRounds<K extends string>(
  kinds: readonly K[],
  rounds: { readonly warmUp: number; readonly measured: number },
  measure: (kind: K) => number,
): Rounds<K> {
  const figures = new Rounds(kinds);
  for (let round = 0; round < rounds.warmUp + rounds.measured; round++) {
    for (const kind of round % 2 === 0 ? kinds : kinds.toReversed()) {
      const value = measure(kind);
      if (round >= rounds.warmUp) figures.add(kind, value);
    }
  }
  return figures;
}

export function ns({ median, min, max }: Spread, digits = 1): string {
  return `${median.toFixed(digits)} ns (${min.toFixed(digits)}–${max.toFixed(digits)})`;
}

export function times({ median, min, max }: Spread, digits = 2): string {
  return `${median.toFixed(digits)} × (${min.toFixed(digits)}–${max.toFixed(digits)})`;
}

/** Hands the section's rows to the program that started it. */
export function report(rows: readonly Row[]): void {
  process.send?.(rows);
  if (process.send === undefined) console.table(rows);
}
