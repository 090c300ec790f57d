/** A page's families by name, and what the contract asks of each. */
import { type ReadFamily, readPage } from '../../support/read-page.js';

/** In the order of the page. */
export function familiesOf(page: string): ReadonlyMap<string, ReadFamily> {
  return new Map(readPage(page).map((family) => [family.name, family]));
}

/** Names of a family's labels, sorted; `le` is no label of a histogram. */
export function labelNames({ samples }: ReadFamily): string[] {
  const names = new Set(samples.flatMap(({ labels }) => [...labels.keys()]));
  names.delete('le');
  return [...names].sort();
}

/** The bounds of a histogram's first series, as spelled. */
export function bounds({ samples }: ReadFamily): string[] {
  const all = samples.filter(({ labels }) => labels.has('le')).map(({ labels }) => labels.get('le')!);
  return all.slice(0, all.indexOf('+Inf') + 1);
}
