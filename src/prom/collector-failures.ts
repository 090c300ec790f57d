import type { MetricDescriptor } from '../metric/descriptor.js';
import type { PromRegistry } from './prom-client.js';
import { acquireFamilies } from './register.js';
import { type RegisteredFamily, registeredFamilyOf } from './registered-family.js';

const DESCRIPTOR: MetricDescriptor = {
  name: 'rx_engine_metrics_collector_failures_total',
  help: 'Times that a collector on the registry failed, hung or gave nothing readable and was left out of a page.',
  type: 'counter',
  labelNames: [],
  aggregator: 'sum',
  upperBounds: [],
};

/**
 * Counts collectors that failed on the registry, whose family it is: it comes with the first failure and stays.
 * Undefined if the registry does not take it.
 */
export function countFailures(registry: PromRegistry, failures: number): RegisteredFamily | undefined {
  try {
    const [registered] = acquireFamilies(registry, [{ descriptor: DESCRIPTOR }], registry);
    const handle = registered!.family.labels();
    if ('inc' in handle) handle.inc(failures);
    const found = registeredFamilyOf(registry.getSingleMetric(DESCRIPTOR.name));
    return found === registered ? registered : undefined;
  } catch {
    return undefined; // the name is taken by something else: no reason to have no page
  }
}
