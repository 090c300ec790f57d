import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { modelPool, renderMetrics, ServingMetrics, statsLog, withSchedulerMetrics } from '../../src/index.js';
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
    expect(gateway.diagnostics).toMatchObject([{ source: 'profile', value }]);
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
  it.each<[string, object, RegExp]>([
    [
      'a profile that is none',
      { profile: 'proxy' },
      /profile: expected 'engine' or 'gateway', got "?'?proxy/,
    ],
    [
      'names without the profile',
      { engineNames: ['a'] },
      /engineNames: expected none without profile 'gateway'/,
    ],
    [
      'names that are one',
      { profile: 'gateway', engineNames: ['a', 'a'] },
      /engineNames: expected names that differ/,
    ],
    [
      'another index as a name',
      { profile: 'gateway', engineNames: ['1'] },
      /engineNames\[0\]: expected a name that/,
    ],
  ])('%s', (_, options, message) => {
    expect(() => new ServingMetrics({ registry, modelName: 'm', ...options })).toThrow(message);
    expect(registry.getMetricsAsArray()).toEqual([]);
  });

  it('of one model are one profile on a registry, of two models they may differ', () => {
    const shared = new Registry();
    new ServingMetrics({ registry: shared, modelName: 'm' });
    const gateway = { registry: shared, profile: 'gateway' } as const;
    expect(() => new ServingMetrics({ ...gateway, modelName: 'm' })).toThrow(/profile: expected engine/);
    expect(() => new ServingMetrics({ ...gateway, modelName: 'other' })).not.toThrow();
  });
});

describe('a pool of models', () => {
  it('makes an instance a name, up to its limit; further names share other', () => {
    const sources: string[] = [];
    const pool = modelPool({
      registry: new Registry(),
      profile: 'gateway',
      models: ['a'],
      maxModels: 2,
      onDiagnostic: ({ source, value }) => sources.push(`${source} ${value}`),
    });
    expect(pool('a')).toBe(pool('a'));
    expect(pool('b')).not.toBe(pool('a'));
    expect(pool('c')).toBe(pool('other'));
    expect(pool('d')).toBe(pool('c'));
    expect(pool('b').core.modelName).toBe('b');
    expect(sources).toEqual(['modelName c', 'modelName d', 'modelName c']);
  });

  it('with a bad name among its models leaves nothing behind', () => {
    const registry = new Registry();
    expect(() => modelPool({ registry, models: ['a', ''] })).toThrow(
      /modelPool\.models: expected non-empty names/,
    );
    expect(registry.getMetricsAsArray()).toEqual([]);
  });

  it('takes what is no name as other', () => {
    const pool = modelPool({ registry: new Registry(), profile: 'gateway' });
    for (const name of ['', undefined, null, 5, 'x'.repeat(257)])
      expect(pool(name as string)).toBe(pool('other'));
  });
});
