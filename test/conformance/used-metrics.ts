import { Subject } from 'rxjs';
import {
  type ServingMetrics,
  type ServingMetricsOptions,
  tagEngine,
  withRequestMetrics,
} from '../../src/index.js';
import { schedulerStats } from '../../src/testing/index.js';
import { type Recording, recording } from '../support/recording.js';

/** Metrics of one engine, with their scheduler recorder. */
export function serving(options: Partial<ServingMetricsOptions> = {}): Recording {
  return recording({ modelName: 'model', engines: [0], ...options });
}

/** A live request of an adapter; it stays. */
export function runAdapter(metrics: ServingMetrics, loraName: string): void {
  new Subject<never>()
    .pipe(tagEngine(0), withRequestMetrics(metrics, { numPromptTokens: 1, loraName }))
    .subscribe();
}

export function usedServing(options: Partial<ServingMetricsOptions> = {}): Recording {
  const used = serving({ maxLora: 4, ...options });
  const { metrics, batches } = used;
  const store = { durationSeconds: 1, numKeys: 1, numBytes: 1, status: 'ok', numFailedKeys: 0 };
  const stats = schedulerStats({
    specDecodingStats: { numDrafts: 1, numAcceptedTokensPerPos: [1] },
    kvConnectorStats: { load_get: [store] },
  });
  batches.next({ engineIndex: 0, timestamp: 1, outputs: [], schedulerStats: stats });
  metrics.setCacheConfig(0, { block_size: 16 });
  runAdapter(metrics, 'adapter');
  return used;
}
