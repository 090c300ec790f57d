/** All families of one registry and prefix, found or made together. */

import type { MetricDescriptor } from '../../metric/descriptor.js';
import type { PromRegistry } from '../../prom/prom-client.js';
import { acquireFamilies, type FamilyRequest, offPage } from '../../prom/register.js';
import { type RegisteredFamily, registeredFamilyOf } from '../../prom/registered-family.js';
import {
  admissionRejectionsDescriptor,
  CATALOG,
  type CatalogKey,
  cacheConfigDescriptor,
  descriptorOf,
  IN_FLIGHT,
  INVALID_VALUES,
  LAST_STEP,
  loraDescriptor,
  TOKEN_COUNTS,
} from '../catalog/catalog.js';
import { GATEWAY_FAMILIES } from '../catalog/gateway-families.js';
import type { ResolvedOptions } from '../options.js';
import { RegistryModels } from './registry-models.js';

/** Each family that series are resolved in; those that the profile leaves out are on no page. */
export interface Families {
  readonly byKey: ReadonlyMap<CatalogKey, RegisteredFamily>;
  readonly inFlight: RegisteredFamily;
  readonly invalidValues: RegisteredFamily;
  readonly lastStep: RegisteredFamily;
  readonly admissionRejections: RegisteredFamily;
  readonly tokenCounts: RegisteredFamily;
  /** Every one that is on the registry, for giving them back. */
  readonly all: readonly RegisteredFamily[];
  readonly state: RegistryModels;
}

/** Families that say what is, not what was counted: `resetMetrics()` leaves them alone. */
const STATES: ReadonlySet<CatalogKey> = new Set<CatalogKey>(['engineSleepState']);

/** What carries the state that instances share: found on the registry, it is the same for all copies of the package. */
const CARRIER: CatalogKey = 'requestSuccess';

const KEYS = Object.keys(CATALOG) as readonly CatalogKey[];

function stateOf(registry: PromRegistry, prefix: string): RegistryModels {
  const entry = registeredFamilyOf(registry.getSingleMetric(prefix + CATALOG[CARRIER].name));
  return (entry?.state as RegistryModels | undefined) ?? new RegistryModels();
}

function catalogRequests(
  { prefix, buckets, profile }: ResolvedOptions,
  state: RegistryModels,
): readonly FamilyRequest[] {
  const keys = profile === 'gateway' ? KEYS.filter((key) => GATEWAY_FAMILIES.has(key)) : KEYS;
  return keys.map((key) => ({
    descriptor: descriptorOf(CATALOG[key], prefix, buckets),
    resettable: !STATES.has(key),
    ...(key === CARRIER && { state }),
  }));
}

/** Families beside the catalogue. */
function otherRequests(
  { prefix, profile }: ResolvedOptions,
  state: RegistryModels,
): readonly FamilyRequest[] {
  const both = [{ descriptor: IN_FLIGHT, resettable: false }, { descriptor: INVALID_VALUES }];
  if (profile === 'gateway') return [...both, { descriptor: TOKEN_COUNTS }];
  return [
    { descriptor: loraDescriptor(prefix), compute: () => state.loraSamples() },
    { descriptor: cacheConfigDescriptor(prefix), compute: () => state.cacheConfigSamples() },
    { descriptor: admissionRejectionsDescriptor(prefix) },
    ...both,
    { descriptor: LAST_STEP, resettable: false },
  ];
}

/** @throws {Error} naming family and difference if a name is taken by something else; nothing is registered then. */
export function acquireCatalog(options: ResolvedOptions, user: object): Families {
  const { registry, prefix, buckets, modelName, profile } = options;
  const state = stateOf(registry, prefix);
  state.assertProfile(modelName, profile);
  const requests = [...catalogRequests(options, state), ...otherRequests(options, state)];
  const all = acquireFamilies(registry, requests, user);
  const found = new Map(all.map((entry) => [entry.family.descriptor.name, entry]));
  const familyOf = (wanted: MetricDescriptor) => found.get(wanted.name) ?? offPage(wanted);
  const byKey = new Map(KEYS.map((key) => [key, familyOf(descriptorOf(CATALOG[key], prefix, buckets))]));
  return {
    byKey,
    admissionRejections: familyOf(admissionRejectionsDescriptor(prefix)),
    inFlight: familyOf(IN_FLIGHT),
    invalidValues: familyOf(INVALID_VALUES),
    lastStep: familyOf(LAST_STEP),
    tokenCounts: familyOf(TOKEN_COUNTS),
    all,
    state,
  };
}
