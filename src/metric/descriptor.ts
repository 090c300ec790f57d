/** What a metric family is, apart from its values. */
import { checkUpperBounds } from './buckets.js';

export type MetricType = 'counter' | 'gauge' | 'histogram';

/** How a cluster's primary combines the workers' figures. */
export type Aggregator = 'sum' | 'max';

export interface MetricDescriptor {
  /** The name on the page; a counter's ends in `_total`. */
  readonly name: string;
  readonly help: string;
  readonly type: MetricType;
  readonly labelNames: readonly string[];
  readonly aggregator: Aggregator;
  /** Inclusive upper bounds without +Inf; empty unless it is a histogram. */
  readonly upperBounds: readonly number[];
}

const METRIC_NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const LABEL_NAME = /^[a-zA-Z_][a-zA-Z0-9_]*$/;

/** True for a label name that Prometheus takes and that is not one of its own (`__name__`, `le`). */
export function isLabelName(name: string): boolean {
  return LABEL_NAME.test(name) && !name.startsWith('__') && name !== 'le';
}

/** True for a metric name that Prometheus takes. */
export function isMetricName(name: string): boolean {
  return METRIC_NAME.test(name);
}

/**
 * Checks a descriptor and returns a frozen copy.
 * @throws {TypeError} on a bad name, help text or label name.
 * @throws {RangeError} on bounds that are not finite, positive and strictly increasing.
 */
export function describeMetric(descriptor: MetricDescriptor): MetricDescriptor {
  const { name, help, type, labelNames, aggregator } = descriptor;
  if (!isMetricName(name)) throw new TypeError(`metric name: expected [a-zA-Z_:][a-zA-Z0-9_:]*, got ${name}`);
  if (help === '') throw new TypeError(`${name}: expected a help text, got an empty one`);
  if (type === 'counter' && !name.endsWith('_total')) {
    throw new TypeError(`${name}: expected a counter's name to end in _total, got ${name}`);
  }
  for (const label of labelNames) {
    if (!isLabelName(label)) throw new TypeError(`${name}: expected a label name, got ${label}`);
  }
  if (new Set(labelNames).size !== labelNames.length) {
    throw new TypeError(`${name}: expected distinct label names, got ${labelNames.join(', ')}`);
  }
  const upperBounds = type === 'histogram' ? checkUpperBounds(name, descriptor.upperBounds) : [];
  return Object.freeze({ name, help, type, labelNames: [...labelNames], aggregator, upperBounds });
}
