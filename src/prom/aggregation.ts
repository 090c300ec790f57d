/** How samples of several processes become one. */
import type { PromSample } from './prom-client.js';

/** What comes of the samples that each process has of one metric. */
export type Aggregation = (lists: readonly (readonly PromSample[])[]) => PromSample[];

/** The same for one series: what its values become, of the processes that have it. */
type Fold = (values: readonly number[]) => number;

const sum: Fold = (values) => values.reduce((total, value) => total + value, 0);

/** @see prom-client/lib/metricAggregators.js, whose names these are */
const FOLDS: Readonly<Record<string, Fold>> = {
  sum,
  first: ([value]) => value!,
  average: (values) => sum(values) / values.length,
  min: (values) => Math.min(...values),
  max: (values) => Math.max(...values),
};

function keyOf({ metricName = '', labels }: PromSample): string {
  return JSON.stringify([metricName, ...Object.entries(labels ?? {}).sort(([a], [b]) => (a < b ? -1 : 1))]);
}

/** prom-client's aggregation of that name; undefined if there is none. */
export function aggregationOf(aggregator: string): Aggregation | undefined {
  const fold = Object.hasOwn(FOLDS, aggregator) ? FOLDS[aggregator]! : undefined;
  return fold && ((lists) => folded(lists, fold));
}

function folded(lists: readonly (readonly PromSample[])[], fold: Fold): PromSample[] {
  const bySeries = new Map<string, PromSample[]>();
  for (const sample of lists.flat()) {
    const key = keyOf(sample);
    const known = bySeries.get(key);
    if (known === undefined) bySeries.set(key, [sample]);
    else known.push(sample);
  }
  return [...bySeries.values()].map(([first, ...others]) => {
    const value = fold([first!, ...others].map((sample) => sample.value));
    const { metricName, labels } = first!; // an exemplar would be one process's
    return { ...(metricName !== undefined && { metricName }), labels: { ...labels }, value };
  });
}

/** For each owner of a state the process that was told of it last; of a tie, the later one. */
function lastTold(lists: readonly (readonly PromSample[])[]): ReadonlyMap<string, number> {
  const newest = new Map<string, { readonly at: number; readonly process: number }>();
  for (const [process, samples] of lists.entries()) {
    for (const [key, at] of samples.flatMap(({ setAt }) => Object.entries(setAt ?? {}))) {
      if (at >= (newest.get(key)?.at ?? 0)) newest.set(key, { at, process });
    }
  }
  return new Map([...newest].map(([key, { process }]) => [key, process]));
}

/**
 * The samples of each state from the process that knows it best ({@link PromSample.setAt}). A sample that nobody was
 * told of, as the gauges of an engine without a step, stands if nobody knows better.
 */
export function newestOf(lists: readonly (readonly PromSample[])[]): PromSample[] {
  const told = lastTold(lists);
  const bySeries = new Map<string, PromSample>();
  const known = new Set<string>();
  for (const [process, samples] of lists.entries()) {
    for (const sample of samples) {
      const owners = Object.keys(sample.setAt ?? {});
      if (owners.length > 0 && !owners.some((owner) => told.get(owner) === process)) continue;
      const key = keyOf(sample);
      if (owners.length === 0 && known.has(key)) continue;
      if (owners.length > 0) known.add(key);
      bySeries.set(key, { labels: { ...sample.labels }, value: sample.value });
    }
  }
  return [...bySeries.values()];
}
