/** Metrics with what one test records on them. */
import { Registry } from 'prom-client';
import { Subject, type TimestampProvider } from 'rxjs';
import {
  type EngineCoreOutputs,
  type MetricsDiagnostic,
  ServingMetrics,
  type ServingMetricsOptions,
  withSchedulerMetrics,
} from '../../src/index.js';
import { readSamples } from '../../src/testing/index.js';
import { Samples } from './samples.js';

export interface RecordingOptions extends Omit<Partial<ServingMetricsOptions>, 'clock'> {
  /** Undefined is the library's own. */
  readonly clock?: TimestampProvider | undefined;
}

export interface Recording {
  readonly registry: Registry;
  readonly metrics: ServingMetrics;
  readonly diagnostics: MetricsDiagnostic[];
  /** Steps of engines, recorded. */
  readonly batches: Subject<EngineCoreOutputs>;
  /** What is on the page now. */
  samples(): Promise<Samples>;
}

/**
 * Metrics of the model `m` on a registry of their own, unless the options say otherwise. What they report is kept in
 * `diagnostics`, also if the options bring a callback.
 */
export function recording({ clock, ...options }: RecordingOptions = {}): Recording {
  // The tests' registries are prom-client's own; the options take any that has what is needed.
  const registry = (options.registry as Registry | undefined) ?? new Registry();
  const diagnostics: MetricsDiagnostic[] = [];
  const metrics = new ServingMetrics({
    modelName: 'm',
    ...options,
    ...(clock && { clock }),
    registry,
    onDiagnostic: (diagnostic) => {
      diagnostics.push(diagnostic);
      return options.onDiagnostic?.(diagnostic);
    },
  });
  const batches = new Subject<EngineCoreOutputs>();
  batches.pipe(withSchedulerMetrics(metrics)).subscribe();
  const samples = async () => new Samples(await readSamples(registry));
  return { registry, metrics, diagnostics, batches, samples };
}
