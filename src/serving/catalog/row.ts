/** The rows of the catalogue: what a family is, before a registry's prefix and buckets are known. */
import type { Aggregator, MetricType } from '../../metric/descriptor.js';
import type { BucketFamilies } from './default-buckets.js';

export interface CatalogRow {
  /** The name on the page, without the prefix. */
  readonly name: string;
  readonly type: MetricType;
  readonly help: string;
  /** Label names beside `model_name` and `engine`. */
  readonly labels: readonly string[];
  readonly aggregator: Aggregator;
  /** A replaceable family of bounds, or bounds that are fixed. */
  readonly buckets: keyof BucketFamilies | readonly number[] | undefined;
}

export interface CounterRow extends CatalogRow {
  readonly type: 'counter';
}
export interface GaugeRow extends CatalogRow {
  readonly type: 'gauge';
}
export interface HistogramRow extends CatalogRow {
  readonly type: 'histogram';
}

export function counter(name: string, help: string, ...labels: readonly string[]): CounterRow {
  return { name: `${name}_total`, type: 'counter', help, labels, aggregator: 'sum', buckets: undefined };
}

/** A gauge of an engine: the workers of one frontend see the same engines, so a cluster takes the largest. */
export function gauge(name: string, help: string, ...labels: readonly string[]): GaugeRow {
  return { name, type: 'gauge', help, labels, aggregator: 'max', buckets: undefined };
}

export function histogram(
  name: string,
  help: string,
  buckets: keyof BucketFamilies | readonly number[],
  ...labels: readonly string[]
): HistogramRow {
  return { name, type: 'histogram', help, labels, aggregator: 'sum', buckets };
}
