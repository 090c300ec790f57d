/** A gateway's page under a clock that is moved by hand, and one request on it. */
import { Registry } from 'prom-client';
import {
  type MetricsDiagnostic,
  type RequestHandle,
  type RequestInfo,
  ServingMetrics,
} from '../../src/index.js';
import { readSamples } from '../../src/testing/index.js';

export class Gateway {
  readonly registry: Registry = new Registry();
  readonly diagnostics: MetricsDiagnostic[] = [];
  readonly metrics: ServingMetrics;
  nowMs = 1000;

  constructor() {
    this.metrics = new ServingMetrics({
      registry: this.registry,
      modelName: 'm',
      profile: 'gateway',
      engines: [0],
      clock: { now: () => this.nowMs },
      onDiagnostic: (diagnostic) => this.diagnostics.push(diagnostic),
    });
  }

  start(info: RequestInfo = {}): RequestHandle {
    return this.metrics.startRequest(info);
  }

  /** Every sample that is not 0, without the labels that are always the same. */
  async page(): Promise<Record<string, number>> {
    const samples = [...(await readSamples(this.registry))].filter(
      ([name, value]) => value !== 0 && !name.includes('_bucket'),
    );
    return Object.fromEntries(
      samples.map(([name, value]) => [
        name
          .replace('engine="0",', '')
          .replace(/,?model_name="m",?/, '')
          .replace(/^vllm:|\{\}$/g, ''),
        value,
      ]),
    );
  }
}
