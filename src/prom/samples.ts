/** A family's values as prom-client's samples. */
import type { MetricFamily } from '../metric/family.js';
import type { Series } from '../metric/series.js';
import { stamped } from '../metric/stamp.js';
import type { PromSample } from './prom-client.js';
import type { ComputedSample, RegisteredFamily } from './registered-family.js';
import { formatFloat } from './text/number-format.js';

type Labels = Readonly<Record<string, string>>;

/** `le` as vLLM spells it: `1.0`, `+Inf`. */
export function bucketLabels(family: MetricFamily): readonly string[] {
  return [...family.descriptor.upperBounds.map(formatFloat), '+Inf'];
}

const NONE: Labels = Object.freeze({});

/** A sample with all its labels in one object that is the reader's own, as `getMetricsAsJSON` wants. */
function splayed(metricName: string, own: Labels, labels: Labels, value: number): PromSample {
  return { metricName, labels: { ...own, ...labels }, value };
}

/** A sample whose series' labels are one object for the series' life: prom-client's text writer flattens it once. */
function shared(metricName: string, own: Labels, labels: Labels, value: number): PromSample {
  return { metricName, labels: own, sharedLabels: labels, value };
}

function histogramSamples({ family }: RegisteredFamily, name: string, forWriter: boolean): PromSample[] {
  const make = forWriter ? shared : splayed;
  const [bucket, count, sum] = [`${name}_bucket`, `${name}_count`, `${name}_sum`];
  const les = bucketLabels(family).map((le) => Object.freeze({ le }));
  const samples: PromSample[] = [];
  for (const { cells, labels } of family.visible()) {
    let total = 0;
    for (let i = 0; i < les.length; i++) {
      total += cells[i]!; // the cells are per bucket, the exposition is cumulative
      samples.push(make(bucket, les[i]!, labels, total));
    }
    samples.push(make(count, NONE, labels, total), make(sum, NONE, labels, cells[les.length]!));
  }
  return samples;
}

/** No metricName: prom-client's OpenMetrics writer would add `_total` to it once more. */
function sampleOf({ cells, labels, stamp }: Series, forWriter: boolean): PromSample {
  const value = cells[0]!;
  if (forWriter) return { labels: NONE, sharedLabels: labels, value };
  const setAt = stamp && stamped(stamp);
  return { labels: { ...labels }, value, ...(setAt && { setAt }) };
}

/** A computed sample for a reader, who may do with its labels what he likes. */
function copied({ labels, value, setAt }: ComputedSample): PromSample {
  return { labels: { ...labels }, value, ...(setAt && { setAt: { ...setAt } }) };
}

/** All samples of a family, in prom-client's two forms: for its text writer, or for `getMetricsAsJSON`. */
export function samplesOf(family: RegisteredFamily, name: string, forWriter: boolean): PromSample[] {
  if (family.compute !== undefined) return family.compute().map(copied);
  if (family.family.buckets !== undefined) return histogramSamples(family, name, forWriter);
  return Array.from(family.family.visible(), (series) => sampleOf(series, forWriter));
}
