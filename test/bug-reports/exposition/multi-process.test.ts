import { AggregatorRegistry } from 'prom-client';
import { expect, it } from 'vitest';
import { type PromRegistry, renderMetrics } from '../../../src/index.js';
import { readSamples } from '../../../src/testing/index.js';
import { Frontend } from '../support/frontend.js';
import { Page } from '../support/page.js';

/** What the primary of a cluster shows of three workers that serve one engine. */
async function aggregated(): Promise<PromRegistry> {
  const workers = [1, 2, 3].map(() => {
    const worker = new Frontend();
    worker.step({ numRunningReqs: 8, kvCacheUsage: 0.5 });
    worker.arrive({ loraName: 'a' }).out({ tok: 10 });
    return worker;
  });
  const pages = await Promise.all(workers.map(({ registry }) => registry.getMetricsAsJSON()));
  return AggregatorRegistry.aggregate(pages);
}

async function pageOf(registry: PromRegistry): Promise<Page> {
  return new Page(await readSamples(registry), { model_name: 'm', engine: '0' });
}

/*
 * B61 https://github.com/prometheus/client_js/issues/381, https://github.com/vllm-project/vllm/pull/18053,
 * https://github.com/vllm-project/vllm/pull/22227
 * A cluster sums everything by default: a gauge of 100 showed as 200 or 300 as more workers set it.
 */
it('B61: in a cluster the state of an engine is the largest, and counts are sums', async () => {
  const primary = await aggregated();
  const page = await pageOf(primary);
  expect(page.value('num_requests_running')).toBe(8);
  expect(page.value('kv_cache_usage_perc')).toBe(0.5);
  expect(page.value('GTOK')).toBe(30);
  const text = await renderMetrics(primary);
  expect(text).toContain('\nvllm:num_requests_running{engine="0",model_name="m"} 8.0\n');
});

it('B61: in-flight requests of workers add up, the time of the LoRA series does not', async () => {
  const page = await pageOf(await aggregated());
  expect(page.samples.get('rx_engine_metrics_requests_in_flight{engine="0",model_name="m"}')).toBe(3);
  const [[, time]] = page.starting('lora_requests_info') as [[string, number]];
  expect(Math.abs(time - Date.now() / 1000)).toBeLessThan(60);
});
