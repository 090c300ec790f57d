/** Families on a registry: found or made, all of them or none, and given back. */
import type { MetricDescriptor } from '../metric/descriptor.js';
import { MetricFamily } from '../metric/family.js';
import { Collector } from './collector.js';
import type { PromRegistry } from './prom-client.js';
import { type ComputedSample, type Shared, sharedOf } from './registered-family.js';
import { VERSION } from './version.js';

/** A family that is wanted on a registry. */
export interface FamilyRequest {
  readonly descriptor: MetricDescriptor;
  readonly resettable?: boolean;
  /** For a family without series of its own: what it shows, asked at scrape. */
  readonly compute?: () => ComputedSample[];
  readonly state?: object;
}

function listed(values: readonly (string | number)[]): string {
  return values.length === 0 ? 'none' : values.join(', ');
}

/** Says how a registered metric differs from the wanted one; undefined if it is ours and the same. */
function differenceOf(metric: unknown, wanted: MetricDescriptor): string | undefined {
  const shared = sharedOf(metric);
  if (shared === undefined) return 'a family of rx-engine-metrics, got a metric of another owner';
  if (shared.version !== VERSION)
    return `version ${VERSION} of rx-engine-metrics, got version ${shared.version}`;
  const { type, labelNames, upperBounds } = shared.family.descriptor;
  if (type !== wanted.type) return `a ${wanted.type}, got a ${type}`;
  if (listed(labelNames) !== listed(wanted.labelNames)) {
    return `labels ${listed(wanted.labelNames)}, got ${listed(labelNames)}`;
  }
  if (listed(upperBounds) === listed(wanted.upperBounds)) return undefined;
  return `buckets ${listed(wanted.upperBounds)}, got ${listed(upperBounds)}`;
}

function find(registry: PromRegistry, { descriptor }: FamilyRequest): Shared | undefined {
  const metric = registry.getSingleMetric(descriptor.name);
  if (metric === undefined) return undefined;
  const difference = differenceOf(metric, descriptor);
  if (difference !== undefined) throw new Error(`${descriptor.name}: expected ${difference}`);
  return sharedOf(metric);
}

function make({ descriptor, resettable = true, compute, state }: FamilyRequest): Shared {
  return {
    version: VERSION,
    family: new MetricFamily(descriptor),
    users: new Set(),
    resettable,
    compute,
    state,
  };
}

function remove(registry: PromRegistry, shared: Shared): void {
  const { name } = shared.family.descriptor;
  // After `registry.clear()` another metric may stand under the name: only ours leaves.
  if (sharedOf(registry.getSingleMetric(name)) === shared) registry.removeSingleMetric?.(name);
}

/**
 * Finds or makes each family on `registry` and adds `user` to its users.
 * @throws {Error} naming family and difference if one of the names is taken by something else; {@link TypeError} or
 * {@link RangeError} on a bad descriptor. Nothing is registered then.
 */
export function acquireFamilies(
  registry: PromRegistry,
  requests: readonly FamilyRequest[],
  user: object,
): Shared[] {
  const found = requests.map((request) => find(registry, request));
  const all = requests.map((request, i) => found[i] ?? make(request));
  const made = all.filter((_, i) => found[i] === undefined);
  const registered: Shared[] = [];
  try {
    for (const shared of made) {
      registry.registerMetric(new Collector(registry, shared));
      registered.push(shared);
    }
  } catch (error) {
    for (const shared of registered) remove(registry, shared);
    throw error;
  }
  for (const shared of all) shared.users.add(user);
  return all;
}

/** Takes `user` from the families' users; those without any leave the registry. */
export function releaseFamilies(registry: PromRegistry, families: readonly Shared[], user: object): void {
  for (const shared of families) {
    shared.users.delete(user);
    if (shared.users.size === 0) remove(registry, shared);
  }
}
