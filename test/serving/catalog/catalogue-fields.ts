/** The catalogue as `EngineMetrics` shows it. */
import { CATALOG, type CatalogKey } from '../../../src/serving/catalog/catalog.js';
import { CONNECTOR_COUNTERS, CONNECTOR_HISTOGRAMS } from '../../../src/serving/catalog/connector-rows.js';

export function camelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

export const KEYS: readonly CatalogKey[] = Object.keys(CATALOG) as CatalogKey[];

/** Connector families are on the page but are not fields. */
export const CONNECTORS: ReadonlySet<string> = new Set<string>([
  ...Object.keys(CONNECTOR_COUNTERS),
  ...Object.keys(CONNECTOR_HISTOGRAMS),
]);

export const FIELDS: readonly CatalogKey[] = KEYS.filter((key) => !CONNECTORS.has(key));

/** Label values of one more label, as vLLM spells them. */
export const LABEL_VALUES: Readonly<Record<string, readonly string[]>> = {
  numRequestsKvFetchByStage: ['waiting_to_start', 'in_progress', 'completed_waiting'],
  requestSuccess: ['stop', 'length', 'abort', 'error', 'repetition'],
  promptTokensBySource: ['local_compute', 'local_cache_hit', 'external_kv_transfer'],
  promptTokensCachedBySource: ['device', 'host', 'p2p', 'disk', 'external_unspecified'],
  numRequestsWaitingByReason: ['capacity', 'deferred'],
  engineSleepState: ['awake', 'weights_offloaded', 'discard_all'],
};
