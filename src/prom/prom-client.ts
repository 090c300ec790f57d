/** What this library needs of a prom-client registry; prom-client itself is never loaded from here. */
import type { Aggregator, MetricType } from '../metric/descriptor.js';

/** A sample as prom-client's writer takes it. */
export interface PromSample {
  readonly metricName?: string | undefined;
  readonly labels: Readonly<Record<string, string | number>>;
  /** Labels that many samples have in common: written once, after the sample's own. */
  readonly sharedLabels?: Readonly<Record<string, string | number>>;
  readonly value: number;
  /**
   * In the JSON of our gauges that say what is: whose state the sample is (model and engine), and when this process was
   * told of it (wall clock, milliseconds). It is no label and on no page: `aggregateMetrics` reads it, everybody else
   * passes it on.
   */
  readonly setAt?: Readonly<Record<string, number>> | undefined;
  /** An OpenMetrics exemplar; none of ours has one. */
  readonly exemplar?: PromExemplar | null | undefined;
}

export interface PromExemplar {
  readonly labelSet: Readonly<Record<string, string | number>>;
  readonly value: number;
  readonly timestamp?: number | undefined;
}

/** What a metric's `get()` answers. */
export interface PromMetricValues {
  readonly name: string;
  readonly help: string;
  readonly type: MetricType;
  readonly aggregator: Aggregator;
  readonly values: PromSample[];
}

/** A registered metric, seen from the registry. */
export interface PromMetric {
  name: string;
  readonly help: string;
  readonly type: MetricType;
  readonly aggregator: Aggregator;
  get(): Promise<PromMetricValues>;
  getForPromString(): Promise<PromMetricValues>;
  reset(): void;
}

/**
 * A registry of prom-client 15, or of its successor `@prometheus-io/client`: anything with these members.
 * Parameters are `any` since the `Metric` of either package is a closed union of its own classes.
 */
export interface PromRegistry {
  // biome-ignore lint/suspicious/noExplicitAny: see above
  registerMetric(metric: any): void;
  getSingleMetric(name: string): unknown;
  getMetricsAsJSON(): Promise<unknown>;
  getMetricsAsArray?(): unknown[];
  removeSingleMetric?(name: string): void;
  readonly contentType: string;
}

/** The beginning of every OpenMetrics content type. */
const OPEN_METRICS = 'application/openmetrics-text';

export function isOpenMetrics(registry: PromRegistry): boolean {
  return registry.contentType.startsWith(OPEN_METRICS);
}

/** The registry that a view of it (`Object.create(registry, …)`) is made of. */
export function registryBehind(view: PromRegistry): PromRegistry {
  const next: PromRegistry | null = Object.getPrototypeOf(view);
  return next === null || Object.hasOwn(next, 'constructor') ? view : registryBehind(next);
}
