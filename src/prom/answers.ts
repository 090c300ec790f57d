import type { PromMetricValues, PromRegistry } from './prom-client.js';
import { scanning } from './scan.js';

interface Metric {
  get(): unknown;
}

/** What one metric answers, with the registry's default labels. */
async function answerOf(registry: PromRegistry, metric: Metric): Promise<unknown[]> {
  let narrowed = false;
  // Default labels are no public part of a registry, but its JSON carries them: ask it as if this metric were all.
  const getMetricsAsArray = (): unknown[] => {
    narrowed = true;
    return [metric];
  };
  const view: PromRegistry = Object.create(registry, { getMetricsAsArray: { value: getMetricsAsArray } });
  try {
    const answers = await scanning(registry, async () => view.getMetricsAsJSON());
    if (narrowed) return answers as unknown[];
  } catch (error) {
    if (narrowed) throw error;
  }
  return [await metric.get()];
}

/**
 * What all metrics of a registry answer, ours with a marker, in the registry's order. prom-client gives nothing at
 * all if one of them fails; then each is asked alone and those that fail are left out.
 * @throws what the failing metric did, if the registry does not list its metrics.
 */
export async function answersOf(registry: PromRegistry): Promise<PromMetricValues[]> {
  try {
    return (await scanning(registry, () => registry.getMetricsAsJSON())) as PromMetricValues[];
  } catch (error) {
    const metrics = registry.getMetricsAsArray?.();
    if (metrics === undefined) throw error;
    const answers = await Promise.allSettled(metrics.map((metric) => answerOf(registry, metric as Metric)));
    return answers.flatMap((answer) =>
      answer.status === 'fulfilled' ? answer.value : [],
    ) as PromMetricValues[];
  }
}
