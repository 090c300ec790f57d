import { expect, it } from 'vitest';
import { renderMetrics } from '../../../src/index.js';
import { usedServing } from '../used-metrics.js';
import { familiesOf } from './page.js';

/** Names that dashboards still ask for, and that today's vLLM answers with nothing: so must we. */
const GONE = [
  'gpu_cache_usage_perc',
  'cpu_cache_usage_perc',
  'gpu_prefix_cache_hit_rate',
  'cpu_prefix_cache_hit_rate',
  'gpu_prefix_cache_queries',
  'gpu_prefix_cache_queries_total',
  'gpu_prefix_cache_hits',
  'gpu_prefix_cache_hits_total',
  'time_per_output_token_seconds',
  'prompt_tokens_recomputed_total',
  'num_requests_swapped',
  'avg_prompt_throughput_toks_per_s',
  'avg_generation_throughput_toks_per_s',
];
/** Names that never were vLLM's, or are others'. */
const NEVER = [
  'num_requests_success_total',
  'http_requests_total',
  'num_total_requests',
  'num_aborted_requests',
  'request_failure_total',
  'num_incoming_requests_total',
  'healthy_pods_total',
  'current_qps',
  'deployment_replicas',
];
/** Counters some ask for without `_total`: no aliases. */
const UNSUFFIXED = [
  'num_preemptions',
  'prefix_cache_hits',
  'prefix_cache_queries',
  'nixl_num_failed_transfers',
  'prompt_tokens',
  'generation_tokens',
  'corrupted_requests',
];

it.each([...GONE, ...NEVER, ...UNSUFFIXED])('vllm:%s is on no page', async (name) => {
  const page = familiesOf(await renderMetrics(usedServing().registry));
  const names = [...page].flatMap(([family, { samples }]) => [
    family,
    ...samples.map((sample) => sample.name),
  ]);

  const suffixed = ['', '_bucket', '_sum', '_count', '_created'].map((suffix) => `vllm:${name}${suffix}`);
  expect(names.filter((found) => suffixed.includes(found))).toEqual([]);
});

it('no series has a label that only a scrape may set', async () => {
  const page = familiesOf(await renderMetrics(usedServing().registry));
  const labels = [...page.values()].flatMap(({ samples }) =>
    samples.flatMap((sample) => [...sample.labels.keys()]),
  );

  const scrapeTime = [
    'job',
    'instance',
    'namespace',
    'pod',
    'service',
    'container',
    'role',
    'cluster',
    'WorkerId',
  ];
  expect(scrapeTime.filter((label) => labels.includes(label))).toEqual([]);
});
