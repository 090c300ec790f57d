import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { renderMetrics, ServingMetrics, statsLog, withSchedulerMetrics } from '../../src/index.js';
import { Gateway } from '../openai/gateway.js';

const FAMILIES = [
  'rx_engine_metrics_invalid_values_total',
  'rx_engine_metrics_requests_in_flight',
  'rx_engine_metrics_token_counts_total',
  'vllm:e2e_request_latency_seconds',
  'vllm:generation_tokens_total',
  'vllm:inter_token_latency_seconds',
  'vllm:prompt_tokens_cached_total',
  'vllm:prompt_tokens_total',
  'vllm:request_decode_time_seconds',
  'vllm:request_generation_tokens',
  'vllm:request_max_num_generation_tokens',
  'vllm:request_params_max_tokens',
  'vllm:request_params_n',
  'vllm:request_prompt_tokens',
  'vllm:request_success_total',
  'vllm:request_time_per_output_token_seconds',
  'vllm:time_to_first_token_seconds',
];

describe("a gateway's page", () => {
  it('has what an observer of streams can know, and nothing else', async () => {
    const { registry } = new Gateway();
    const text = await renderMetrics(registry);
    const names = [...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name!);
    expect(names.sort()).toEqual(FAMILIES);
  });

  it('moves in every family over a few requests', async () => {
    const gateway = new Gateway();
    const handle = gateway.start({ maxTokens: 9 });
    handle.tokens(1);
    gateway.nowMs += 10;
    handle.tokens(1);
    handle.usage({ promptTokens: 4, cachedTokens: 1, completionTokens: 3 });
    handle.usage({ promptTokens: -1 });
    gateway.nowMs += 10;
    handle.end('stop');
    gateway.start().tokens(1);
    const page = Object.keys(await gateway.page());
    const still = FAMILIES.filter((name) => !page.some((key) => key.startsWith(name.replace('vllm:', ''))));
    expect(still).toEqual([]);
  });

  it.each<[string, (metrics: ServingMetrics) => void]>([
    ['withSchedulerMetrics', (metrics) => void withSchedulerMetrics(metrics)],
    ['statsLog', (metrics) => void statsLog(metrics)],
  ])('refuses %s', (name, call) => {
    expect(() => call(new Gateway().metrics)).toThrow(
      `${name}.metrics: expected profile 'engine', got 'gateway'`,
    );
  });

  it.each<[string, (metrics: ServingMetrics) => void]>([
    ['setCacheConfig', (metrics) => metrics.setCacheConfig(0, { blockSize: 16 })],
    ['setSleepState', (metrics) => metrics.setSleepState(0, 'discard_all')],
    ['recordMultiModalCache', (metrics) => metrics.recordMultiModalCache(0, { queries: 1, hits: 1 })],
    ['recordAdmissionRejection', (metrics) => metrics.recordAdmissionRejection('max_num_queued_reqs')],
  ])('reports %s and ignores it', async (value, call) => {
    const gateway = new Gateway();
    const before = await gateway.page();
    call(gateway.metrics);
    const message = "expected profile 'engine', ignored the call";
    expect(gateway.diagnostics).toEqual([{ source: 'profile', message, value }]);
    expect(await gateway.page()).toEqual({
      ...before,
      'rx_engine_metrics_invalid_values_total{source="profile"}': 1,
    });
  });

  it('names engines', async () => {
    const registry = new Registry();
    const options = {
      registry,
      modelName: 'm',
      profile: 'gateway',
      engineNames: ['berlin', 'oslo'],
    } as const;
    const metrics = new ServingMetrics(options);
    metrics.startRequest({ engineIndex: 1 }).end('stop');
    metrics.startRequest({ engineIndex: 2 }).end('stop');
    const text = await renderMetrics(registry);
    const ended =
      /^vllm:request_success_total\{engine="(\w+)",finished_reason="stop",model_name="m"\} 1.0$/gm;
    expect([...text.matchAll(ended)].map(([, name]) => name)).toEqual(['oslo', '2']);
  });

  it('leaves the registry empty behind it', async () => {
    const gateway = new Gateway();
    gateway.start().tokens(1);
    gateway.metrics.dispose();
    expect(gateway.registry.getMetricsAsArray()).toEqual([]);
  });
});

describe('options of a gateway', () => {
  const registry = new Registry();
  it.each<[string, object]>([
    [`profile: expected 'engine' or 'gateway', got "proxy"`, { profile: 'proxy' }],
    ["engineNames: expected none without profile 'gateway', got ", { engineNames: ['a'] }],
    ["engineNames: expected none without profile 'gateway', got ", { profile: 'engine', engineNames: [] }],
    ['engineNames: expected an array of names, got "ab"', { profile: 'gateway', engineNames: 'ab' }],
    ['engineNames: expected names that differ, got ', { profile: 'gateway', engineNames: ['a', 'b', 'a'] }],
    [
      'engineNames[0]: expected a name that is no other index, got "1"',
      { profile: 'gateway', engineNames: ['1'] },
    ],
    [
      'engineNames[1]: expected a name that is no other index, got "10"',
      { profile: 'gateway', engineNames: ['0', '10'] },
    ],
    [
      'engineNames[1]: expected a name that is no other index, got ""',
      { profile: 'gateway', engineNames: ['a', ''] },
    ],
    [
      'engineNames[0]: expected a name that is no other index, got null',
      { profile: 'gateway', engineNames: [null] },
    ],
    [
      'engineNames[0]: expected a name that is no other index, got 0',
      { profile: 'gateway', engineNames: [0] },
    ],
  ])('that are bad: %s', (message, options) => {
    expect(() => new ServingMetrics({ registry, modelName: 'm', ...options })).toThrow(message);
    expect(registry.getMetricsAsArray()).toEqual([]);
  });

  it('take names that are their own index, or no index though they begin or end as one', () => {
    for (const options of [
      { profile: 'gateway' as const, engineNames: ['0', '1b', 'b2', '3'] },
      { profile: 'gateway' as const, engineNames: [] },
      { profile: 'engine' as const },
    ]) {
      const metrics = new ServingMetrics({ registry: new Registry(), modelName: 'm', ...options });
      expect(metrics.inFlight).toBe(0);
    }
  });

  it('of one model are one profile on a registry, of two models they may differ', () => {
    const shared = new Registry();
    new ServingMetrics({ registry: shared, modelName: 'm' });
    const gateway = { registry: shared, profile: 'gateway' } as const;
    expect(() => new ServingMetrics({ ...gateway, modelName: 'm' })).toThrow(/profile: expected engine/);
    expect(() => new ServingMetrics({ ...gateway, modelName: 'other' })).not.toThrow();
  });
});
