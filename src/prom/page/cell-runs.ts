import type { Series } from '../../metric/series.js';

/** Cells that stand side by side, of one series or several. */
export interface CellRun {
  readonly slab: Float64Array;
  /** Where they begin in the slab. */
  readonly at: number;
  /** How many cells of other series come before them. */
  readonly from: number;
  length: number;
}

/**
 * The cells of some series of a family in as few runs as they allow. To look at 4,400 series one by one takes twice
 * as long when a scrape finds the caches cold, as it does after 15 seconds of serving.
 */
export function runsOf(series: readonly Series[]): readonly CellRun[] {
  const size = series[0]!.cells.length;
  const runs: CellRun[] = [];
  let last: CellRun | undefined;
  for (let i = 0; i < series.length; i++) {
    const { slab, at } = series[i]!.range;
    if (last !== undefined && slab === last.slab && at === last.at + last.length) {
      last.length += size;
      continue;
    }
    last = { slab, at, from: i * size, length: size };
    runs.push(last);
  }
  return runs;
}
