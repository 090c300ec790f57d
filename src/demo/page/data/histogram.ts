/** Histograms of the page: bucket counts over all engines, and quantiles as PromQL reads them. */
import { type Exposition, sumsBy } from './exposition.js';

/** Observations per bucket, not cumulative; the last bound is infinite. */
export interface Histogram {
  readonly bounds: readonly number[];
  readonly counts: readonly number[];
}

const EMPTY: Histogram = { bounds: [], counts: [] };

/** A family's histogram over all of its series. */
export function histogramOf(exposition: Exposition, name: string): Histogram {
  const sums = [...sumsBy(exposition, `${name}_bucket`, 'le')]
    .map(([le, count]) => [le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le), count] as const)
    .sort(([a], [b]) => a - b);
  const cumulative = sums.map(([, count]) => count);
  return {
    bounds: sums.map(([bound]) => bound),
    counts: cumulative.map((count, i) => count - (cumulative[i - 1] ?? 0)),
  };
}

/** What was observed between two scrapes; all of `now` where counts went back, as after a reset. */
export function growthOf(before: Histogram = EMPTY, now: Histogram): Histogram {
  const growth = now.counts.map((count, i) => count - (before.counts[i] ?? 0));
  return growth.some((count) => count < 0) ? now : { bounds: now.bounds, counts: growth };
}

export function countOf({ counts }: Histogram): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

/**
 * The quantile `q` of 0 to 1, between two bounds by linear interpolation; null without observations. In the last
 * bucket it is the highest finite bound.
 * @see https://prometheus.io/docs/prometheus/latest/querying/functions/#histogram_quantile
 */
export function quantileOf(q: number, histogram: Histogram): number | null {
  const { bounds, counts } = histogram;
  const rank = q * countOf(histogram);
  if (rank === 0) return null;
  let below = 0;
  for (const [i, count] of counts.entries()) {
    if (below + count >= rank && count > 0) {
      const low = bounds[i - 1] ?? 0;
      const high = bounds[i]!;
      return high === Number.POSITIVE_INFINITY ? low : low + (high - low) * ((rank - below) / count);
    }
    below += count;
  }
  return null;
}
