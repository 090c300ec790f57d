/** What stands behind a collector, in a form that another loaded copy of this package (ESM, CommonJS) can use. */
import type { MetricFamily } from '../metric/family.js';

/** A value that is computed at scrape. */
export interface ComputedSample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
  /** Who says it, and since when: see `PromSample.setAt`. */
  readonly setAt?: Readonly<Record<string, number>>;
}

/** A family on a registry, and who needs it there. */
export interface RegisteredFamily {
  /** The package's version; copies of another one do not share. */
  readonly version: string;
  readonly family: MetricFamily;
  /** Samples made at scrape; undefined if the family's series are the samples. */
  readonly compute: (() => ComputedSample[]) | undefined;
  /** Who needs the family on this registry. */
  readonly users: Set<object>;
  /** False for a gauge that says what is, which `resetMetrics()` must not touch. */
  readonly resettable: boolean;
  /** What the instances on the registry share beside the figures, where a family carries it. */
  readonly state: object | undefined;
}

/** The registered family behind a metric found on a registry, if it is one of ours. */
export function registeredFamilyOf(metric: unknown): RegisteredFamily | undefined {
  return (metric as { rxEngineMetrics?: RegisteredFamily } | undefined)?.rxEngineMetrics;
}
