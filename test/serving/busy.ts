import type { Rig } from '../support/rig.js';

/** What is registered. */
export const names = (rig: Rig): string[] => rig.registry.getMetricsAsArray().map(({ name }) => name);

/** An instance with figures of every kind. */
export function busy(rig: Rig): Rig {
  rig.request().finish();
  rig.stats({ numRunningReqs: 1, specDecodingStats: { numAcceptedTokensPerPos: [1, 2] } });
  rig.stats({
    connectorPrefixCacheStats: { hitsBySource: { tape: 3 } },
    kvConnectorStats: { save_put: [{ durationSeconds: 1 }] },
  });
  rig.stats({ kvCacheUsage: Number.NaN });
  rig.metrics.setCacheConfig(0, { a: 1 });
  return rig;
}
