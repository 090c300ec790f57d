/** Names that end in `_total`, or have it elsewhere: only a counter's last one is OpenMetrics's own. */
import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { renderMetrics } from '../../src/prom/page/render.js';
import type { PromMetric } from '../../src/prom/prom-client.js';
import { type AnyRegistry, describeFamily, makeRegistry, register } from '../support/registries.js';

function withTotals(): AnyRegistry {
  const registry = makeRegistry(Registry.OPENMETRICS_CONTENT_TYPE);
  const [counter, gauge] = register(
    registry,
    describeFamily('counter', 'vllm:a_total_b_total'),
    describeFamily('gauge', 'vllm:g_total'),
  );
  for (const shared of [counter!, gauge!]) shared.family.series();
  return registry;
}

describe('an OpenMetrics page', () => {
  it.each([
    ['0.0', 'renderMetrics', renderMetrics],
    ['0', 'registry.metrics', (registry: AnyRegistry) => registry.metrics()],
  ] as const)("takes _total off a counter's family alone, once: %s by %s", async (zero, _, write) => {
    const page = await write(withTotals());
    expect(page.split('\n').filter((line) => /^vllm|TYPE/.test(line))).toEqual([
      '# TYPE vllm:a_total_b counter',
      `vllm:a_total_b_total ${zero}`,
      '# TYPE vllm:g_total gauge',
      `vllm:g_total ${zero}`,
    ]);
  });

  it("says the same of other people's counters", async () => {
    const registry = makeRegistry(Registry.OPENMETRICS_CONTENT_TYPE);
    const values = [{ labels: {}, value: 1 }];
    for (const [name, type] of [
      ['a_total_b_total', 'counter'],
      ['g_total', 'gauge'],
    ]) {
      const answer = { name, help: 'h', type, aggregator: 'sum', values };
      registry.registerMetric({ ...answer, get: async () => answer } as never);
    }
    expect((await renderMetrics(registry)).split('\n')).toEqual([
      '# HELP a_total_b h',
      '# TYPE a_total_b counter',
      'a_total_b_total 1',
      '# HELP g_total h',
      '# TYPE g_total gauge',
      'g_total 1',
      '# EOF',
      '',
    ]);
  });
});

describe('a collector that is given', () => {
  const collector = (registry: AnyRegistry, name: string) =>
    registry.getSingleMetric(name) as unknown as PromMetric;

  it('its own name answers by that', async () => {
    const registry = makeRegistry();
    register(registry, describeFamily('counter', 'vllm:c_total'));
    const metric = collector(registry, 'vllm:c_total');
    metric.name = 'vllm:c_total';
    expect((await metric.getForPromString()).name).toBe('vllm:c_total');
  });

  it('another name answers by it once, and if it is no counter never', async () => {
    const registry = makeRegistry();
    register(registry, describeFamily('counter', 'vllm:c_total'), describeFamily('gauge', 'vllm:g_total'));
    const [counter, gauge] = ['vllm:c_total', 'vllm:g_total'].map((name) => collector(registry, name));
    counter!.name = 'vllm:c';
    gauge!.name = 'vllm:g';
    const names = async (metric: PromMetric) => [
      (await metric.getForPromString()).name,
      (await metric.getForPromString()).name,
    ];
    expect(await names(counter!)).toEqual(['vllm:c', 'vllm:c_total']);
    expect(await names(gauge!)).toEqual(['vllm:g_total', 'vllm:g_total']);
  });
});
