/** All families of one registry and prefix, found or made together. */

import type { PromRegistry } from '../../prom/prom-client.js';
import { acquireFamilies, type FamilyRequest } from '../../prom/register.js';
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
} from '../catalog/catalog.js';
import type { ResolvedOptions } from '../options.js';
import { RegistryModels } from './registry-models.js';

export interface Families {
  readonly byKey: ReadonlyMap<CatalogKey, RegisteredFamily>;
  readonly inFlight: RegisteredFamily;
  readonly invalidValues: RegisteredFamily;
  readonly lastStep: RegisteredFamily;
  readonly admissionRejections: RegisteredFamily;
  readonly draftPositions: RegisteredFamily;
  /** Every one of them, for giving them back. */
  readonly all: readonly RegisteredFamily[];
  readonly state: RegistryModels;
}

/** Families that say what is, not what was counted: `resetMetrics()` leaves them alone. */
const STATES: ReadonlySet<CatalogKey> = new Set<CatalogKey>(['engineSleepState']);

/** The state travels with the LoRA family: found on the registry, it is the same for all copies of the package. */
function stateOf(registry: PromRegistry, prefix: string): RegistryModels {
  const entry = registeredFamilyOf(registry.getSingleMetric(loraDescriptor(prefix).name));
  return (entry?.state as RegistryModels | undefined) ?? new RegistryModels();
}

type LastFour = [RegisteredFamily, RegisteredFamily, RegisteredFamily, RegisteredFamily];

/** @throws {Error} naming family and difference if a name is taken by something else; nothing is registered then. */
export function acquireCatalog({ registry, prefix, buckets }: ResolvedOptions, user: object): Families {
  const state = stateOf(registry, prefix);
  const keys = Object.keys(CATALOG) as CatalogKey[];
  const requests: FamilyRequest[] = keys.map((key) => ({
    descriptor: descriptorOf(CATALOG[key], prefix, buckets),
    resettable: !STATES.has(key),
  }));
  requests.push(
    { descriptor: loraDescriptor(prefix), compute: () => state.loraSamples(), state },
    { descriptor: cacheConfigDescriptor(prefix), compute: () => state.cacheConfigSamples() },
    { descriptor: admissionRejectionsDescriptor(prefix) },
    { descriptor: IN_FLIGHT, resettable: false },
    { descriptor: INVALID_VALUES },
    { descriptor: LAST_STEP, resettable: false },
  );
  const all = acquireFamilies(registry, requests, user);
  const byKey = new Map(keys.map((key, i) => [key, all[i]!]));
  const draftPositions = byKey.get('specDecodeNumAcceptedTokensPerPos')!; // every key of the catalogue is there
  // In the order of the requests that were pushed last.
  const [admissionRejections, inFlight, invalidValues, lastStep] = all.slice(-4) as LastFour;
  return { byKey, admissionRejections, inFlight, invalidValues, lastStep, draftPositions, all, state };
}
