import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { ServingMetrics } from '../../src/index.js';
import { readSamples } from '../../src/testing/index.js';

it('keys samples by name and labels, the labels sorted, without braces where there are none', async () => {
  const registry = new Registry();
  new Counter({ name: 'plain_total', help: 'h', registers: [registry] }).inc(3);
  const gauge = new Gauge({
    name: 'labelled',
    help: 'h',
    labelNames: ['zone', 'app'],
    registers: [registry],
  });
  gauge.set({ zone: 'z', app: 'a' }, -1.5);
  const samples = await readSamples(registry);
  expect([...samples]).toEqual([
    ['plain_total', 3],
    ['labelled{app="a",zone="z"}', -1.5],
  ]);
});

it('escapes backslashes, quotes and newlines as the page does', async () => {
  const registry = new Registry();
  const gauge = new Gauge({ name: 'g', help: 'h', labelNames: ['l'], registers: [registry] });
  gauge.set({ l: 'a\\b"c\nd' }, 1);
  expect([...(await readSamples(registry)).keys()]).toEqual(['g{l="a\\\\b\\"c\\nd"}']);
});

it('spells the bounds of other people’s histograms as vLLM does', async () => {
  const registry = new Registry();
  const histogram = new Histogram({
    name: 'h',
    help: 'h',
    buckets: [0.5, 1, 2_000_000],
    registers: [registry],
  });
  histogram.observe(1);
  expect([...(await readSamples(registry)).keys()]).toEqual([
    'h_bucket{le="0.5"}',
    'h_bucket{le="1.0"}',
    'h_bucket{le="2e+06"}',
    'h_bucket{le="+Inf"}',
    'h_sum',
    'h_count',
  ]);
});

it('reads ours, counters with their full name and le among the labels', async () => {
  const registry = new Registry();
  const metrics = new ServingMetrics({ registry, modelName: 'm', engines: [3] });
  metrics.forEngine(3).generationTokens.inc(5);
  metrics.forEngine(3).requestParamsN.observe(2);
  const samples = await readSamples(registry);
  expect(samples.get('vllm:generation_tokens_total{engine="3",model_name="m"}')).toBe(5);
  expect(samples.get('vllm:request_params_n_bucket{engine="3",le="1.0",model_name="m"}')).toBe(0);
  expect(samples.get('vllm:request_params_n_bucket{engine="3",le="2.0",model_name="m"}')).toBe(1);
  expect(samples.get('vllm:request_params_n_count{engine="3",model_name="m"}')).toBe(1);
  expect(samples.get('vllm:request_success_total{engine="3",finished_reason="stop",model_name="m"}')).toBe(0);
});

it('reads an empty registry, and one with default labels', async () => {
  expect((await readSamples(new Registry())).size).toBe(0);
  const registry = new Registry();
  registry.setDefaultLabels({ app: 'a' });
  new Gauge({ name: 'g', help: 'h', registers: [registry] }).set(1);
  expect([...(await readSamples(registry)).keys()]).toEqual(['g{app="a"}']);
});

it('changes nothing by reading', async () => {
  const registry = new Registry();
  new ServingMetrics({ registry, modelName: 'm', engines: [0] });
  const first = await readSamples(registry);
  expect(await readSamples(registry)).toEqual(first);
});
