/** The whole catalogue, and its rows as descriptors of one registry. */
import type { Aggregator, MetricDescriptor, MetricType } from '../../metric/descriptor.js';
import { CONNECTOR_COUNTERS, CONNECTOR_HISTOGRAMS } from './connector-rows.js';
import { type BucketFamilies, FIXED_BUCKETS } from './default-buckets.js';
import { ENGINE_COUNTERS, ENGINE_GAUGES, ENGINE_HISTOGRAMS } from './engine-rows.js';
import { REQUEST_COUNTERS, REQUEST_HISTOGRAMS } from './request-rows.js';
import type { Row } from './row.js';

type Rows = typeof ENGINE_GAUGES &
  typeof ENGINE_COUNTERS &
  typeof REQUEST_COUNTERS &
  typeof REQUEST_HISTOGRAMS &
  typeof ENGINE_HISTOGRAMS &
  typeof CONNECTOR_HISTOGRAMS &
  typeof CONNECTOR_COUNTERS;

/** A family with `model_name` and `engine`, by the field name it has in `EngineMetrics`. */
export type CatalogKey = keyof Rows;

/** Catalogue keys of one type of metric. */
export type KeysOf<T extends MetricType> = {
  [K in CatalogKey]: Rows[K]['type'] extends T ? K : never;
}[CatalogKey];

/** Here a row that is not one fails to compile: where the rows stand, their literal types are all there is. */
export const CATALOG: Readonly<Record<CatalogKey, Row>> = {
  ...ENGINE_GAUGES,
  ...ENGINE_COUNTERS,
  ...REQUEST_COUNTERS,
  ...REQUEST_HISTOGRAMS,
  ...ENGINE_HISTOGRAMS,
  ...CONNECTOR_HISTOGRAMS,
  ...CONNECTOR_COUNTERS,
};

/** The workers of one frontend see the same engines, so a cluster takes the largest gauge and the sum of all else. */
function aggregatorOf(type: MetricType): Aggregator {
  return type === 'gauge' ? 'max' : 'sum';
}

/** The bounds of a row's histogram; none for another type. */
export function boundsOf({ buckets: key }: Row, buckets: BucketFamilies): readonly number[] {
  return key === undefined ? [] : { ...FIXED_BUCKETS, ...buckets }[key];
}

/** A catalogue row as the descriptor of a registry's family. */
export function descriptorOf(row: Row, prefix: string, buckets: BucketFamilies): MetricDescriptor {
  const { type, name, help, labels = [] } = row;
  return {
    name: prefix + name,
    help,
    type,
    labelNames: ['model_name', 'engine', ...labels],
    aggregator: aggregatorOf(type),
    upperBounds: boundsOf(row, buckets),
  };
}

/** Series computed at scrape: their label values, or even their label names, change. */
export function loraDescriptor(prefix: string): MetricDescriptor {
  return {
    name: `${prefix}lora_requests_info`,
    help: 'LoRA adapters of waiting and of running requests; the value is the time of the scrape in Unix seconds.',
    type: 'gauge',
    labelNames: ['max_lora', 'waiting_lora_adapters', 'running_lora_adapters'],
    aggregator: 'max',
    upperBounds: [],
  };
}

export function cacheConfigDescriptor(prefix: string): MetricDescriptor {
  return {
    name: `${prefix}cache_config_info`,
    help: 'The cache configuration of an engine, as labels; always 1.',
    type: 'gauge',
    labelNames: ['engine'],
    aggregator: 'max',
    upperBounds: [],
  };
}

/** Without an engine: the frontend turns a request away before it has one. */
export function admissionRejectionsDescriptor(prefix: string): MetricDescriptor {
  return {
    name: `${prefix}admission_rejections_total`,
    help: "Requests turned away at a limit of the frontend's queue, by the limit.",
    type: 'counter',
    labelNames: ['model_name', 'reason'],
    aggregator: 'sum',
    upperBounds: [],
  };
}

/** This library's own figures; the prefix is not theirs. */
export const IN_FLIGHT: MetricDescriptor = {
  name: 'rx_engine_metrics_requests_in_flight',
  help: 'Requests subscribed and not yet ended, as this frontend sees them.',
  type: 'gauge',
  labelNames: ['model_name', 'engine'],
  aggregator: 'sum',
  upperBounds: [],
};

export const INVALID_VALUES: MetricDescriptor = {
  name: 'rx_engine_metrics_invalid_values_total',
  help: 'Values that were not recorded as they came, by the field they came in.',
  type: 'counter',
  labelNames: ['model_name', 'source'],
  aggregator: 'sum',
  upperBounds: [],
};

/** On a gateway's page: its tokens are counted from what passes. */
export const TOKEN_COUNTS: MetricDescriptor = {
  name: 'rx_engine_metrics_token_counts_total',
  help: "Ended requests with tokens, by how these were counted: by the server's usage, by their ids, or by chunks.",
  type: 'counter',
  labelNames: ['model_name', 'source'],
  aggregator: 'sum',
  upperBounds: [],
};

export const LAST_STEP: MetricDescriptor = {
  name: 'rx_engine_metrics_engine_last_step_timestamp_seconds',
  help: "When the engine's last step came, in Unix seconds: an engine that hangs makes none.",
  type: 'gauge',
  labelNames: ['model_name', 'engine'],
  aggregator: 'max',
  upperBounds: [],
};
