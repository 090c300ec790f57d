/** A registry of its own with what one test records on it. */
import { Registry } from 'prom-client';
import { type MetricsDiagnostic, ServingMetrics, type ServingMetricsOptions } from '../../src/index.js';
import { readSamples } from '../../src/testing/index.js';
import { Samples } from './samples.js';

export interface Recording {
  readonly registry: Registry;
  readonly metrics: ServingMetrics;
  readonly diagnostics: MetricsDiagnostic[];
  /** What is on the page now. */
  samples(): Promise<Samples>;
}

/** Metrics of the model `m`; what they report is kept in `diagnostics`, also if the options bring a callback. */
export function recording(options: Partial<ServingMetricsOptions> = {}): Recording {
  const registry = new Registry();
  const diagnostics: MetricsDiagnostic[] = [];
  const metrics = new ServingMetrics({
    registry,
    modelName: 'm',
    ...options,
    onDiagnostic: (diagnostic) => {
      diagnostics.push(diagnostic);
      options.onDiagnostic?.(diagnostic);
    },
  });
  return { registry, metrics, diagnostics, samples: async () => new Samples(await readSamples(registry)) };
}
