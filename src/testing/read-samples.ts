import type { PromRegistry, PromSample } from '../prom/prom-client.js';
import { labelText, withBoundText } from '../prom/text/label-texts.js';

/** The part of `getMetricsAsJSON` that is read here. */
interface JsonMetric {
  readonly name: string;
  readonly values?: readonly PromSample[];
}

/**
 * Reads all samples of a registry, keyed as on the page: `name{a="b",c="d"}`, with labels sorted by name and `le`
 * spelled `1.0`. Without labels there are no braces.
 */
export async function readSamples(registry: PromRegistry): Promise<ReadonlyMap<string, number>> {
  const samples = new Map<string, number>();
  for (const { name, values = [] } of (await registry.getMetricsAsJSON()) as readonly JsonMetric[]) {
    for (const { metricName = name, labels, value } of values) {
      samples.set(metricName + labelText(withBoundText(labels)).trimEnd(), value);
    }
  }
  return samples;
}
