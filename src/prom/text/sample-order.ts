import type { PromSample } from '../prom-client.js';
import { labelText } from './label-text.js';

function rankOf({ metricName = '', labels }: PromSample): number {
  if (metricName.endsWith('_count')) return Infinity;
  if (metricName.endsWith('_sum')) return NaN;
  return labels['le'] === '+Inf' ? Number.MAX_VALUE : Number(labels['le']);
}

/** By bound, then count, then sum: NaN comes last. */
function byRank(a: PromSample, b: PromSample): number {
  const [left, right] = [rankOf(a), rankOf(b)];
  if (Number.isNaN(left) || Number.isNaN(right))
    return Number(Number.isNaN(left)) - Number(Number.isNaN(right));
  return left < right ? -1 : left > right ? 1 : 0;
}

/** A histogram's samples label set by label set, each as Python has them: buckets ascending, count, sum. */
export function inPythonOrder(samples: readonly PromSample[]): PromSample[] {
  const sets = new Map<string, PromSample[]>();
  for (const sample of samples) {
    const { le, ...labels } = { ...sample.labels, ...sample.sharedLabels };
    const key = labelText(labels);
    const set = sets.get(key);
    if (set === undefined) sets.set(key, [sample]);
    else set.push(sample);
  }
  return [...sets.values()].flatMap((set) => set.sort(byRank));
}
