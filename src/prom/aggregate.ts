/** Several processes' metrics as one registry. */

import { AggregatedRegistry } from './aggregated-registry.js';
import { type Aggregation, aggregationOf, newestOf } from './aggregation.js';
import type { PromMetricValues, PromRegistry } from './prom-client.js';

/** The bounds of a histogram's buckets, in its samples' order; empty where it has no series. */
function bucketsOf({ values }: PromMetricValues): string {
  const bounds = (values ?? []).map(({ labels }) => labels?.['le']).filter((le) => le !== undefined);
  return [...new Set(bounds)].join(', ');
}

/** @throws {Error} if the processes do not mean the same; a histogram without series says nothing of its buckets. */
function checkAgreement(name: string, answers: readonly PromMetricValues[]): void {
  const expectOne = (what: string, values: readonly string[]): void => {
    const [one, other] = new Set(values);
    if (other !== undefined)
      throw new Error(`aggregateMetrics: expected ${name} to have one ${what}, got ${one} and ${other}`);
  };
  expectOne(
    'type',
    answers.map(({ type }) => type),
  );
  if (answers[0]!.type !== 'histogram') return;
  expectOne(
    'set of buckets',
    answers.map(bucketsOf).filter((buckets) => buckets !== ''),
  );
}

function aggregatorOf({ name, aggregator = 'sum' }: PromMetricValues): Aggregation | undefined {
  const found = aggregationOf(aggregator);
  if (found === undefined && (aggregator as string) !== 'omit')
    throw new Error(`aggregateMetrics: expected an aggregator of prom-client for ${name}, got ${aggregator}`);
  return found;
}

function merged(name: string, answers: readonly PromMetricValues[]): PromMetricValues | undefined {
  checkAgreement(name, answers);
  const first = answers[0]!; // a name is there because one has it
  const lists = answers.map(({ values }) => values ?? []);
  const isState = lists.some((values) => values.some(({ setAt }) => setAt !== undefined));
  if (isState) return { ...first, values: newestOf(lists) };
  const aggregation = aggregatorOf(first);
  return aggregation && { ...first, values: aggregation(lists) };
}

/**
 * One registry, for {@link renderMetrics}, of what several processes' `registry.getMetricsAsJSON()` answered, also after
 * JSON or a structured clone. Counters, histograms and requests in flight add up. What an engine *is* comes from the
 * process that knows it last: its scheduler gauges together from the one with the newest step that carried stats (or
 * `idle()`), its sleep state and cache configuration from the one that set them last, the LoRA adapters from the
 * newest page; times are the hosts' wall clocks, and a tie goes to the later page. Other people's metrics are combined
 * as their `aggregator` says, as prom-client does. No pages give an empty registry.
 * @throws {Error} naming the family, if processes disagree about its type or buckets, or on an unknown aggregator.
 * {@link TypeError} if `pages` is not a list of lists.
 */
export function aggregateMetrics(pages: readonly unknown[]): PromRegistry {
  const byName = new Map<string, PromMetricValues[]>();
  for (const page of pages) {
    if (!Array.isArray(page))
      throw new TypeError(
        'aggregateMetrics: expected pages to be a list of what getMetricsAsJSON() resolves to',
      );
    for (const answer of page as PromMetricValues[]) {
      const known = byName.get(answer.name);
      if (known === undefined) byName.set(answer.name, [answer]);
      else known.push(answer);
    }
  }
  const all = [...byName].map(([name, answers]) => merged(name, answers));
  return new AggregatedRegistry(all.filter((answer) => answer !== undefined));
}
