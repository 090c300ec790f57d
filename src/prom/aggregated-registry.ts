import type { PromMetric, PromMetricValues, PromRegistry } from './prom-client.js';

type Answering = Pick<PromMetric, 'name' | 'get'>;

/** Answers that are there already, as a registry that can be rendered. */
export class AggregatedRegistry implements PromRegistry {
  readonly contentType = 'text/plain; version=0.0.4; charset=utf-8';
  readonly #metrics = new Map<string, Answering>();

  constructor(answers: readonly PromMetricValues[]) {
    for (const answer of answers) this.registerMetric({ ...answer, get: async () => answer });
  }

  registerMetric(metric: Answering): void {
    this.#metrics.set(metric.name, metric);
  }

  getSingleMetric(name: string): unknown {
    return this.#metrics.get(name);
  }

  getMetricsAsArray(): Answering[] {
    return [...this.#metrics.values()];
  }

  async getMetricsAsJSON(): Promise<PromMetricValues[]> {
    return Promise.all(this.getMetricsAsArray().map((metric) => metric.get()));
  }
}
