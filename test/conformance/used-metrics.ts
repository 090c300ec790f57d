/** A page on which every family has a series: those that come with their first use were used once. */
import { Registry } from 'prom-client';
import { Subject } from 'rxjs';
import {
  type EngineCoreOutputs,
  ServingMetrics,
  type ServingMetricsOptions,
  tagEngine,
  withRequestMetrics,
  withSchedulerMetrics,
} from '../../src/index.js';
import { schedulerStats } from '../../src/testing/index.js';

export interface Serving {
  readonly registry: Registry;
  readonly metrics: ServingMetrics;
  /** Engine steps, recorded. */
  readonly batches: Subject<EngineCoreOutputs>;
}

/** Metrics of one engine on a fresh registry, with their scheduler recorder. */
export function serving(options: Partial<ServingMetricsOptions> = {}): Serving {
  const registry = new Registry();
  const metrics = new ServingMetrics({ registry, modelName: 'model', engines: [0], ...options });
  const batches = new Subject<EngineCoreOutputs>();
  batches.pipe(withSchedulerMetrics(metrics)).subscribe();
  return { registry, metrics, batches };
}

/** A live request of an adapter; it stays. */
export function runAdapter(metrics: ServingMetrics, loraName: string): void {
  new Subject<never>()
    .pipe(tagEngine(0), withRequestMetrics(metrics, { numPromptTokens: 1, loraName }))
    .subscribe();
}

export function usedServing(options: Partial<ServingMetricsOptions> = {}): Serving {
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
