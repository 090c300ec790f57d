/** A family of ours with other labels, as another version might have left it, is refused by name. */
import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { acquireFamilies } from '../../src/prom/register.js';
import { Rig } from '../support/rig.js';

it.each([
  ['vllm:lora_requests_info', 'max_lora, waiting_lora_adapters, running_lora_adapters'],
  ['vllm:cache_config_info', 'engine'],
])('%s', (name, labels) => {
  const registry = new Registry();
  const descriptor = { name, help: 'h', type: 'gauge', aggregator: 'max', upperBounds: [] } as const;
  acquireFamilies(registry, [{ descriptor: { ...descriptor, labelNames: ['x'] } }], {});
  expect(() => new Rig({ registry })).toThrow(`${name}: expected labels ${labels}, got x`);
  expect(registry.getMetricsAsArray().map((metric) => metric.name)).toEqual([name]);
});
