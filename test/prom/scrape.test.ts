/** What a page takes from a metric: a family's cells, or what its `get` answers. */
import { expect, it } from 'vitest';
import { renderMetrics } from '../../src/prom/page/render.js';
import { registeredFamilyOf } from '../../src/prom/registered-family.js';
import { type AnyRegistry, describeFamily, makeRegistry, record, register } from '../support/registries.js';

const answer = (name: string, value: number) => ({
  name,
  help: 'h',
  type: 'gauge',
  aggregator: 'sum',
  values: [{ labels: {}, value }],
});

/** A registry with a family of ours, at 7. */
function withFamily(): AnyRegistry {
  const registry = makeRegistry();
  record(register(registry, describeFamily('gauge', 'vllm:g'))[0]!.family.labels(), 7);
  return registry;
}

const samplesIn = (page: string): string[] =>
  page.split('\n').filter((line) => line !== '' && !line.startsWith('#'));

it("somebody's own get on our metric has the last word", async () => {
  const registry = withFamily();
  Object.assign(registry.getSingleMetric('vllm:g')!, { get: async () => answer('vllm:g', 5) });
  expect(samplesIn(await renderMetrics(registry))).toEqual(['vllm:g 5.0']);
});

it.each([
  ['this version', {}, 'vllm:g 7.0'],
  ['another version', { version: '0.0.0' }, 'vllm:g 5.0'],
])('a family of %s of the package is read from its cells, or is what get answers', async (_, over, line) => {
  const registry = makeRegistry();
  const entry = registeredFamilyOf(withFamily().getSingleMetric('vllm:g'))!;
  const shape = answer('vllm:g', 5);
  class Other {
    readonly name = shape.name;
    readonly rxEngineMetrics = { ...entry, ...over };
    async get() {
      return shape;
    }
  }
  registry.registerMetric(new Other() as never);
  expect(samplesIn(await renderMetrics(registry))).toEqual([line]);
});

it.each([
  ['vllm:g', 'vllm:g 5.0'],
  ['rx_engine_metrics_g', 'rx_engine_metrics_g 5.0'],
  ['my_vllm:g', 'my_vllm:g 5'],
])("%s has vLLM's spelling if its name begins as ours do", async (name, line) => {
  const registry = makeRegistry();
  registry.registerMetric({ ...answer(name, 5), get: async () => answer(name, 5) } as never);
  expect(samplesIn(await renderMetrics(registry))).toEqual([line]);
});
