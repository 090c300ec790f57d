/** Pages of many engines: ours, and the same series in prom-client's own families. */
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { MetricFamily } from '../../../src/metric/family.js';
import { registeredFamilyOf } from '../../../src/prom/registered-family.js';
import { ServingMetrics } from '../../../src/serving/serving-metrics.js';

function familiesOf(registry: Registry): MetricFamily[] {
  return registry.getMetricsAsArray().flatMap((metric) => {
    const shared = registeredFamilyOf(metric);
    return shared === undefined ? [] : [shared.family];
  });
}

/** A registry with all fixed series of `engines` engines, draft positions and store operations included. */
export function ourRegistry(engines: number): Registry {
  const registry = new Registry();
  const indexes = Array.from({ length: engines }, (_, i) => i);
  const metrics = new ServingMetrics({
    registry,
    modelName: 'meta-llama/Llama-3.1-8B-Instruct',
    engines: indexes,
  });
  for (const index of indexes) metrics.core.engine(index).draftPosition(3);
  move(registry, 1);
  return registry;
}

/** Moves every `each`-th cell as recordings would: counts by whole numbers, a histogram's sum by seconds. */
export function move(registry: Registry, each: number): void {
  let cell = 0;
  for (const family of familiesOf(registry)) {
    const isHistogram = family.buckets !== undefined;
    for (const { cells } of family.visible()) {
      for (let i = 0; i < cells.length; i++) {
        if (cell++ % each !== 0) continue;
        cells[i]! += isHistogram && i === cells.length - 1 ? 0.1 * (1 + (cell % 7)) : 1 + (cell % 7);
      }
    }
  }
}

/** prom-client's own families with the same series and buckets, every one of them used. */
export function theirRegistry(ours: Registry): Registry {
  const registry = new Registry();
  for (const family of familiesOf(ours)) {
    const { name, help, type, labelNames, upperBounds } = family.descriptor;
    const options = { name, help, labelNames: [...labelNames], registers: [registry] };
    const own = [...family.visible()];
    if (type === 'histogram') {
      const histogram = new Histogram({ ...options, buckets: [...upperBounds] });
      for (const { labels } of own) for (const bound of upperBounds) histogram.observe({ ...labels }, bound);
    } else if (type === 'counter') {
      const counter = new Counter(options);
      for (const [i, { labels }] of own.entries()) counter.inc({ ...labels }, 1 + i * 0.25);
    } else {
      const gauge = new Gauge(options);
      for (const [i, { labels }] of own.entries()) gauge.set({ ...labels }, 1 + i * 0.25);
    }
  }
  return registry;
}
