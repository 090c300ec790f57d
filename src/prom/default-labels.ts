import type { Inquiry } from './inquiry.js';
import type { PromMetricValues, PromRegistry } from './prom-client.js';

/** Labels that a registry adds to each series that has none of that name. */
export type DefaultLabels = Readonly<Record<string, unknown>>;

/** The registry as it would be if `metrics` were all it has. The registry itself is as it was. */
export function viewOf(registry: PromRegistry, metrics: readonly unknown[]): PromRegistry {
  return Object.create(registry, { getMetricsAsArray: { value: () => [...metrics] } });
}

/**
 * True if `getMetricsAsJSON` is the very method of prom-client's `Registry` or of its successor's. A subclass, a
 * proxy or an instance with another one may keep the answers or hand on copies, and must never be asked for less than
 * all its metrics.
 */
function answersAsPromClient(registry: PromRegistry): boolean {
  let owner: object | null = registry;
  while (owner !== null && !Object.hasOwn(owner, 'getMetricsAsJSON')) owner = Object.getPrototypeOf(owner);
  const made = owner?.constructor as { readonly prototype?: PromRegistry } | undefined;
  if (made === undefined || made.prototype?.getMetricsAsJSON !== registry.getMetricsAsJSON) return false;
  return Object.hasOwn(made, 'merge') && Object.hasOwn(made, 'OPENMETRICS_CONTENT_TYPE');
}

/**
 * The registry's default labels, which are no public part of it, but which its JSON carries: a view of it that has a
 * marker in all metrics' place is asked for them. Undefined if the marker does not come back as the object that it
 * was, with nothing changed but its labels: such a registry's answers can only be had from itself.
 */
export async function defaultLabelsOf(
  registry: PromRegistry,
  inquiry: Inquiry,
): Promise<DefaultLabels | undefined> {
  if (!answersAsPromClient(registry)) return undefined;
  const sample = { labels: {}, value: 1 };
  const values = [sample];
  const marker: PromMetricValues = { name: 'marker', help: 'h', type: 'gauge', aggregator: 'sum', values };
  const view = viewOf(registry, [{ ...marker, get: async () => marker }]);
  try {
    const answers = await inquiry.within(() => view.getMetricsAsJSON());
    const [first, second] = answers as unknown[];
    const isBack = first === marker && second === undefined && marker.values === values;
    return isBack && values.length === 1 && values[0] === sample && sample.value === 1
      ? sample.labels
      : undefined;
  } catch {
    return undefined;
  }
}
