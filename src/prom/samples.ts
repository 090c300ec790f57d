/** A family's values as prom-client's samples. */
import type { MetricFamily } from '../metric/family.js';
import type { Series } from '../metric/series.js';
import { formatFloat } from './number-format.js';
import type { PromSample } from './prom-client.js';
import type { Shared } from './shared.js';

/** `le` as vLLM spells it: `1.0`, `+Inf`. */
export function bucketLabels(family: MetricFamily): readonly string[] {
  return [...family.descriptor.upperBounds.map(formatFloat), '+Inf'];
}

/** Makes a sample of a series; the suffix is `_bucket`, `_count`, `_sum` or none. */
type Make = (suffix: string, own: Record<string, string>, value: number) => PromSample;

function maker(name: string, labels: Series['labels'], forWriter: boolean): Make {
  return (suffix, own, value) => {
    const sample = forWriter
      ? { labels: own, sharedLabels: labels, value }
      : { labels: { ...own, ...labels }, value };
    // No metricName without a suffix: the OpenMetrics writer would add `_total` to it once more.
    return suffix === '' ? sample : { metricName: name + suffix, ...sample };
  };
}

function histogramSamples(les: readonly string[], cells: Float64Array, make: Make): PromSample[] {
  let count = 0;
  const samples = les.map((le, i) => {
    count += cells[i]!; // the cells are per bucket, the exposition is cumulative
    return make('_bucket', { le }, count);
  });
  samples.push(make('_count', {}, count), make('_sum', {}, cells[les.length]!));
  return samples;
}

/**
 * All samples of a family. For prom-client's text writer a series' labels are handed over as one object, which it
 * flattens once for the series' life; otherwise each sample carries all its labels, as `getMetricsAsJSON` wants.
 */
export function samplesOf({ family, compute }: Shared, name: string, forWriter: boolean): PromSample[] {
  if (compute !== undefined) return compute();
  const les = bucketLabels(family);
  const samples: PromSample[] = [];
  for (const series of family.visible()) {
    const make = maker(name, series.labels, forWriter);
    if (family.buckets === undefined) samples.push(make('', {}, series.cells[0]!));
    else for (const sample of histogramSamples(les, series.cells, make)) samples.push(sample);
  }
  return samples;
}
