/** Families on a registry: found or made, all of them or none, and given back. */
import type { MetricDescriptor } from '../metric/descriptor.js';
import { MetricFamily } from '../metric/family.js';
import { Collector } from './collector.js';
import type { PromRegistry } from './prom-client.js';
import { type ComputedSample, type RegisteredFamily, registeredFamilyOf } from './registered-family.js';
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
  const entry = registeredFamilyOf(metric);
  if (entry === undefined) return 'a family of rx-engine-metrics, got a metric of another owner';
  if (entry.version !== VERSION)
    return `version ${VERSION} of rx-engine-metrics, got version ${entry.version}`;
  const { type, labelNames, upperBounds } = entry.family.descriptor;
  if (type !== wanted.type) return `a ${wanted.type}, got a ${type}`;
  if (listed(labelNames) !== listed(wanted.labelNames)) {
    return `labels ${listed(wanted.labelNames)}, got ${listed(labelNames)}`;
  }
  if (listed(upperBounds) === listed(wanted.upperBounds)) return undefined;
  return `buckets ${listed(wanted.upperBounds)}, got ${listed(upperBounds)}`;
}

function find(registry: PromRegistry, { descriptor }: FamilyRequest): RegisteredFamily | undefined {
  const metric = registry.getSingleMetric(descriptor.name);
  if (metric === undefined) return undefined;
  const difference = differenceOf(metric, descriptor);
  if (difference !== undefined) throw new Error(`${descriptor.name}: expected ${difference}`);
  return registeredFamilyOf(metric);
}

function make({ descriptor, resettable = true, compute, state }: FamilyRequest): RegisteredFamily {
  return {
    version: VERSION,
    family: new MetricFamily(descriptor),
    users: new Set(),
    resettable,
    compute,
    state,
  };
}

/** A family on no page: what is recorded in it is nobody's. */
export function offPage(descriptor: MetricDescriptor): RegisteredFamily {
  return make({ descriptor });
}

function remove(registry: PromRegistry, entry: RegisteredFamily): void {
  const { name } = entry.family.descriptor;
  // After `registry.clear()` another metric may stand under the name: only ours leaves.
  if (registeredFamilyOf(registry.getSingleMetric(name)) === entry) registry.removeSingleMetric?.(name);
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
): RegisteredFamily[] {
  const found = requests.map((request) => find(registry, request));
  const all = requests.map((request, i) => found[i] ?? make(request));
  const made = all.filter((_, i) => found[i] === undefined);
  const registered: RegisteredFamily[] = [];
  try {
    for (const entry of made) {
      registry.registerMetric(new Collector(registry, entry));
      registered.push(entry);
    }
  } catch (error) {
    for (const entry of registered) remove(registry, entry);
    throw error;
  }
  for (const entry of all) entry.users.add(user);
  return all;
}

/** Takes `user` from the families' users; those without any leave the registry. */
export function releaseFamilies(
  registry: PromRegistry,
  families: readonly RegisteredFamily[],
  user: object,
): void {
  for (const entry of families) {
    entry.users.delete(user);
    if (entry.users.size === 0) remove(registry, entry);
  }
}
