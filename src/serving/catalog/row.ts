/** The rows of the catalogue: what a family is, before a registry's prefix and buckets are known. */
import type { MetricType } from '../../metric/descriptor.js';
import type { BucketFamilies, FixedBuckets } from './default-buckets.js';

/** A row as it is written down. */
export interface Row {
  readonly type: MetricType;
  /** The name on the page, without the prefix. */
  readonly name: string;
  readonly help: string;
  /** Label names beside `model_name` and `engine`. */
  readonly labels?: readonly string[];
  /** The bounds of a histogram: a family that options can replace, or a list that vLLM fixes. */
  readonly buckets?: keyof BucketFamilies | keyof FixedBuckets;
}
