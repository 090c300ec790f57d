/** Clients that are not the one this package's tests import. */
import { createRequire } from 'node:module';
import type { PromRegistry } from '../../../src/index.js';

/** A copy of prom-client of its own, as an application that installs it beside ours has. */
export function secondPromClient(): typeof import('prom-client') {
  const require = createRequire(import.meta.url);
  for (const path of Object.keys(require.cache))
    if (path.includes('/prom-client/')) delete require.cache[path];
  return require('prom-client');
}

interface Metric {
  readonly name: string;
  get(): Promise<unknown>;
}

/** The members that prom-client's successor `@prometheus-io/client` has in common with it, and that we use. */
export class RenamedRegistry implements PromRegistry {
  readonly contentType = 'text/plain; version=0.0.4; charset=utf-8';
  readonly metrics: Map<string, Metric> = new Map();

  registerMetric(metric: Metric): void {
    this.metrics.set(metric.name, metric);
  }

  getSingleMetric(name: string): Metric | undefined {
    return this.metrics.get(name);
  }

  getMetricsAsJSON(): Promise<unknown> {
    return Promise.all([...this.metrics.values()].map((metric) => metric.get()));
  }
}
