import { describe, expect, it } from 'vitest';
import { CATALOG } from '../../../src/serving/catalog/catalog.js';
import { Rig } from '../../support/rig.js';
import { KEYS } from './catalogue-fields.js';

describe('every catalogue row', () => {
  it('is registered at construction, with the self-metrics and the computed families', () => {
    const names = new Rig().registry.getMetricsAsArray().map(({ name }) => name);
    const wanted = [
      ...KEYS.map((key) => `vllm:${CATALOG[key].name}`),
      'vllm:lora_requests_info',
      'vllm:cache_config_info',
      'vllm:admission_rejections_total',
      'rx_engine_metrics_requests_in_flight',
      'rx_engine_metrics_invalid_values_total',
      'rx_engine_metrics_engine_last_step_timestamp_seconds',
    ];
    expect(names.sort()).toEqual(wanted.sort());
    expect(names.filter((name) => name.endsWith('_created'))).toEqual([]);
  });

  it('takes the prefix, which the self-metrics do not', () => {
    const names = new Rig({ prefix: 'x_' }).registry.getMetricsAsArray().map(({ name }) => name);
    const own = names.filter((name) => name.startsWith('rx_engine_metrics_'));
    expect(own).toHaveLength(3);
    expect(names.filter((name) => name.startsWith('x_'))).toHaveLength(KEYS.length + 3);
  });

  it('aggregates over a cluster by the largest gauge, in-flight by the sum', () => {
    const metrics = new Rig().registry.getMetricsAsArray() as unknown as {
      name: string;
      type: string;
      aggregator: string;
    }[];
    const summed = metrics.filter(({ aggregator }) => aggregator === 'sum');
    const gauges = metrics.filter(({ type, aggregator }) => type === 'gauge' && aggregator === 'max');
    expect(summed.filter(({ type }) => type === 'gauge').map(({ name }) => name)).toEqual([
      'rx_engine_metrics_requests_in_flight',
    ]);
    expect(summed.length + gauges.length).toBe(metrics.length);
  });
});
