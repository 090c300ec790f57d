/** Exact quantile of kept values, by nearest rank; NaN of none. `sorted` ascends, `q` is from 0 to 1. */
export function quantileOf(sorted: ArrayLike<number>, q: number): number {
  if (sorted.length === 0) return Number.NaN;
  return sorted[Math.max(0, Math.ceil(q * sorted.length) - 1)]!;
}

/**
 * Quantile of cumulative buckets as PromQL's `histogram_quantile` has it: linear inside a bucket that begins at 0 or
 * at the bound below, the highest finite bound for what lies above it; NaN of none.
 */
export function quantileOfBuckets(
  buckets: readonly (readonly [le: number, count: number])[],
  q: number,
): number {
  const rank = q * (buckets.at(-1)?.[1] ?? 0);
  if (rank === 0) return Number.NaN;
  let lower = 0;
  let below = 0;
  for (const [le, count] of buckets) {
    if (count >= rank)
      return le === Infinity ? lower : lower + ((le - lower) * (rank - below)) / (count - below);
    lower = le;
    below = count;
  }
  return Number.NaN;
}
