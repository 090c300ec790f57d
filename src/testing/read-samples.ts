import type { PromRegistry, PromSample } from '../prom/prom-client.js';
import { formatFloat } from '../prom/text/number-format.js';

/** The part of `getMetricsAsJSON` that is read here. */
interface JsonMetric {
  readonly name: string;
  readonly values?: readonly PromSample[];
}

function escapeValue(value: string): string {
  if (!/[\\\n"]/.test(value)) return value;
  return value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');
}

/** prom-client's own histograms have a number as `le`, which is spelled as on vLLM's pages. */
function labelText(name: string, value: string | number): string {
  const text = typeof value === 'number' && name === 'le' ? formatFloat(value) : String(value);
  return `${name}="${escapeValue(text)}"`;
}

/**
 * Reads all samples of a registry, keyed as on the page: `name{a="b",c="d"}`, with labels sorted by name and `le`
 * spelled `1.0`. Without labels there are no braces.
 */
export async function readSamples(registry: PromRegistry): Promise<ReadonlyMap<string, number>> {
  const samples = new Map<string, number>();
  for (const { name, values = [] } of (await registry.getMetricsAsJSON()) as readonly JsonMetric[]) {
    for (const { metricName = name, labels, value } of values) {
      const texts = Object.keys(labels)
        .sort()
        .map((label) => labelText(label, labels[label]!));
      samples.set(texts.length === 0 ? metricName : `${metricName}{${texts.join(',')}}`, value);
    }
  }
  return samples;
}
