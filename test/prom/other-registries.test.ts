/** Registries that are no prom-client `Registry`, and answer in their own way. */
import { Gauge, type Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { renderMetrics } from '../../src/prom/page/render.js';
import type { PromRegistry } from '../../src/prom/prom-client.js';
import { type AnyRegistry, makeRegistry } from '../support/registries.js';

/** A registry that asks all of `registry`'s metrics, whatever it lists itself; its first answer fails. */
function failingOnce(registry: AnyRegistry): PromRegistry {
  let asked = 0;
  return {
    contentType: registry.contentType,
    registerMetric: () => {},
    getSingleMetric: (name) => registry.getSingleMetric(name),
    getMetricsAsJSON: async () => {
      if (asked++ === 0) throw new Error('not yet');
      return registry.getMetricsAsJSON();
    },
    getMetricsAsArray: () => registry.getMetricsAsArray(),
  };
}

it('a registry that answers for all metrics when one is asked for gives each of them once', async () => {
  const registry = makeRegistry();
  for (const name of ['a', 'b']) new Gauge({ name, help: 'h', registers: [registry as Registry] });
  const page = await renderMetrics(failingOnce(registry));
  expect(page.match(/^[ab] 0$/gm)).toEqual(['a 0', 'b 0']);
});

it('a registry that hands on an answer that is none gives the others', async () => {
  const registry = makeRegistry();
  new Gauge({ name: 'a', help: 'h', registers: [registry as Registry] });
  const handingOn: PromRegistry = {
    contentType: registry.contentType,
    registerMetric: () => {},
    getSingleMetric: (name) => registry.getSingleMetric(name),
    getMetricsAsJSON: async () => [null, ...(await registry.getMetricsAsJSON()), undefined],
  };
  expect((await renderMetrics(handingOn)).match(/^a 0$/gm)).toEqual(['a 0']);
});
