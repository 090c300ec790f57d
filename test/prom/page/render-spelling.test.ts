/** Pages in full, as vLLM spells them. */
import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { renderMetrics } from '../../../src/prom/page/render.js';
import { acquireFamilies } from '../../../src/prom/register.js';
import { meaningOf, readPage } from '../../support/read-page.js';
import { describeFamily, makeRegistry, record, register } from '../../support/registries.js';

describe('renderMetrics', () => {
  it("spells a page as vLLM's: labels sorted with le among them, buckets, count, sum", async () => {
    const registry = makeRegistry();
    const [tokens, latency, load] = register(
      registry,
      describeFamily('counter', 'vllm:generation_tokens_total', ['model_name', 'engine']),
      describeFamily(
        'histogram',
        'vllm:e2e_request_latency_seconds',
        ['model_name', 'engine'],
        [0.3, 1, 2e6],
      ),
      describeFamily('gauge', 'vllm:kv_cache_usage_perc'),
    );
    record(tokens!.family.labels('m "1"\\\n', '0'), 1_394_703);
    for (const seconds of [0.3, 0.7, 3e6]) record(latency!.family.labels('m', '10'), seconds);
    record(load!.family.labels(), 0.25);
    expect(await renderMetrics(registry)).toBe(
      [
        '# HELP vllm:generation_tokens_total Help of vllm:generation_tokens_total.',
        '# TYPE vllm:generation_tokens_total counter',
        'vllm:generation_tokens_total{engine="0",model_name="m \\"1\\"\\\\\\n"} 1.394703e+06',
        '# HELP vllm:e2e_request_latency_seconds Help of vllm:e2e_request_latency_seconds.',
        '# TYPE vllm:e2e_request_latency_seconds histogram',
        'vllm:e2e_request_latency_seconds_bucket{engine="10",le="0.3",model_name="m"} 1.0',
        'vllm:e2e_request_latency_seconds_bucket{engine="10",le="1.0",model_name="m"} 2.0',
        'vllm:e2e_request_latency_seconds_bucket{engine="10",le="2e+06",model_name="m"} 2.0',
        'vllm:e2e_request_latency_seconds_bucket{engine="10",le="+Inf",model_name="m"} 3.0',
        'vllm:e2e_request_latency_seconds_count{engine="10",model_name="m"} 3.0',
        'vllm:e2e_request_latency_seconds_sum{engine="10",model_name="m"} 3.000001e+06',
        '# HELP vllm:kv_cache_usage_perc Help of vllm:kv_cache_usage_perc.',
        '# TYPE vllm:kv_cache_usage_perc gauge',
        'vllm:kv_cache_usage_perc 0.25',
        '',
      ].join('\n'),
    );
  });

  it('adds the default labels once, sorted, and lets own ones win', async () => {
    const registry = makeRegistry();
    registry.setDefaultLabels({ zone: 'eu', engine: 'default', le: 'odd' });
    const [queued, waiting] = register(
      registry,
      describeFamily('histogram', 'vllm:h', ['engine'], [1]),
      describeFamily('gauge', 'vllm:g', ['model_name']),
    );
    queued!.family.series('0');
    waiting!.family.series('m');
    const lines = (await renderMetrics(registry)).split('\n').filter((line) => line.startsWith('vllm'));
    expect(lines).toEqual([
      'vllm:h_bucket{engine="0",le="1.0",zone="eu"} 0.0',
      'vllm:h_bucket{engine="0",le="+Inf",zone="eu"} 0.0',
      'vllm:h_count{engine="0",le="odd",zone="eu"} 0.0',
      'vllm:h_sum{engine="0",le="odd",zone="eu"} 0.0',
      'vllm:g{engine="default",le="odd",model_name="m",zone="eu"} 0.0',
    ]);
  });

  it('follows default labels that change', async () => {
    const registry = makeRegistry();
    register(registry, describeFamily('gauge', 'vllm:g'))[0]!.family.series();
    const pages: string[] = [];
    for (const labels of [{}, { a: '1' }, { a: '2' }, { a: '2' }, {}]) {
      registry.setDefaultLabels(labels);
      pages.push((await renderMetrics(registry)).split('\n')[2]!);
    }
    expect(pages).toEqual([
      'vllm:g 0.0',
      'vllm:g{a="1"} 0.0',
      'vllm:g{a="2"} 0.0',
      'vllm:g{a="2"} 0.0',
      'vllm:g 0.0',
    ]);
  });

  it('shows a family without series by its header, and an empty registry as nothing', async () => {
    const registry = makeRegistry();
    expect(await renderMetrics(registry)).toBe('');
    register(registry, describeFamily('histogram', 'vllm:h', ['engine'], [1]));
    expect(await renderMetrics(registry)).toBe('# HELP vllm:h Help of vllm:h.\n# TYPE vllm:h histogram\n');
  });

  it('asks a computed family anew for every page', async () => {
    const registry = makeRegistry();
    let names = ['a'];
    const compute = () =>
      names.map((name) => ({ labels: { running: name, max: '4' }, value: 1_790_000_000.5 }));
    acquireFamilies(
      registry,
      [{ descriptor: describeFamily('gauge', 'lora', ['max', 'running']), compute }],
      {},
    );
    const lines = async (): Promise<string[]> => (await renderMetrics(registry)).split('\n').slice(2, -1);
    expect(await lines()).toEqual(['lora{max="4",running="a"} 1.7900000005e+09']);
    names = [];
    expect(await lines()).toEqual([]);
    names = ['b"', 'c'];
    expect(await lines()).toEqual([
      'lora{max="4",running="b\\""} 1.7900000005e+09',
      'lora{max="4",running="c"} 1.7900000005e+09',
    ]);
  });

  it('gives the very same string while nothing moves', async () => {
    const registry = makeRegistry();
    const [shared] = register(registry, describeFamily('counter', 'vllm:c_total'));
    const handle = shared!.family.labels();
    const page = await renderMetrics(registry);
    expect(await renderMetrics(registry)).toBe(page);
    record(handle, 1);
    expect(await renderMetrics(registry)).toBe(page.replace(' 0.0\n', ' 1.0\n'));
  });

  it.each(['x'.repeat(1 << 16), '€'.repeat(1 << 16)])(
    'takes a label value of 64 k characters',
    async (value) => {
      const registry = makeRegistry();
      const [shared] = register(registry, describeFamily('histogram', 'vllm:h', ['engine'], [1, 2]));
      for (const engine of ['0', value, '1']) record(shared!.family.labels(engine), 1);
      const samples = readPage(await renderMetrics(registry))[0]!.samples;
      expect(samples).toHaveLength(15);
      expect(samples.filter(({ labels }) => labels.get('engine') === value)).toHaveLength(5);
      record(shared!.family.labels(value), 10);
      expect(meaningOf(await renderMetrics(registry))).toEqual(meaningOf(await registry.metrics()));
    },
  );
});

describe('an OpenMetrics page', () => {
  const { OPENMETRICS_CONTENT_TYPE, PROMETHEUS_CONTENT_TYPE } = Registry;

  it("names a counter's family without _total, and ends with EOF", async () => {
    const registry = makeRegistry(OPENMETRICS_CONTENT_TYPE);
    const [counter, histogram] = register(
      registry,
      { ...describeFamily('counter', 'vllm:c_total'), help: 'Some "help".' },
      describeFamily('histogram', 'vllm:iteration_tokens_total', [], [1]),
    );
    counter!.family.series();
    histogram!.family.series();
    expect(await renderMetrics(registry)).toBe(
      [
        '# HELP vllm:c Some \\"help\\".',
        '# TYPE vllm:c counter',
        'vllm:c_total 0.0',
        '# HELP vllm:iteration_tokens_total Help of vllm:iteration_tokens_total.',
        '# TYPE vllm:iteration_tokens_total histogram',
        'vllm:iteration_tokens_total_bucket{le="1.0"} 0.0',
        'vllm:iteration_tokens_total_bucket{le="+Inf"} 0.0',
        'vllm:iteration_tokens_total_count 0.0',
        'vllm:iteration_tokens_total_sum 0.0',
        '# EOF',
        '',
      ].join('\n'),
    );
  });

  it('changes nothing for a text page, whoever writes them in whatever order', async () => {
    const registry = makeRegistry();
    const [counter] = register(registry, describeFamily('counter', 'vllm:c_total', ['engine']));
    record(counter!.family.labels('0'), 3);
    const text = await renderMetrics(registry);
    const theirs = await registry.metrics();
    const json = await registry.getMetricsAsJSON();
    for (const write of [renderMetrics, (_: unknown) => registry.metrics()]) {
      registry.setContentType(OPENMETRICS_CONTENT_TYPE);
      expect(await write(registry)).toContain('# TYPE vllm:c counter\n');
      expect(await registry.getMetricsAsJSON()).toEqual(json);
      registry.setContentType(PROMETHEUS_CONTENT_TYPE);
      expect(await registry.metrics()).toBe(theirs);
      expect(await renderMetrics(registry)).toBe(text);
      expect(await registry.getMetricsAsJSON()).toEqual(json);
    }
    expect(registry.getSingleMetric('vllm:c_total')).toBeDefined();
  });

  it('is the one of the moment it was asked for', async () => {
    const registry = makeRegistry(OPENMETRICS_CONTENT_TYPE);
    register(registry, describeFamily('counter', 'vllm:c_total'));
    const openMetrics = renderMetrics(registry);
    registry.setContentType(PROMETHEUS_CONTENT_TYPE);
    const text = renderMetrics(registry);
    expect(await openMetrics).toContain('# TYPE vllm:c counter\n# EOF\n');
    expect(await text).toContain('# TYPE vllm:c_total counter\n');
  });
});
