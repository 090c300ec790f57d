import type { Aggregator, MetricType } from '../metric/descriptor.js';
import {
  isOpenMetrics,
  type PromMetric,
  type PromMetricValues,
  type PromRegistry,
  registryBehind,
} from './prom-client.js';
import type { RegisteredFamily } from './registered-family.js';
import { samplesOf } from './samples.js';

/** One family on one registry, in the shape of prom-client's metrics; all its work is done at scrape. */
export class Collector implements PromMetric {
  readonly help: string;
  readonly type: MetricType;
  readonly aggregator: Aggregator;
  readonly rxEngineMetrics: RegisteredFamily;
  readonly #registry: PromRegistry;
  /** Set by an OpenMetrics writer just before it asks for the values. */
  #stripped = false;

  constructor(registry: PromRegistry, entry: RegisteredFamily) {
    const { help, type, aggregator } = entry.family.descriptor;
    this.help = help;
    this.type = type;
    this.aggregator = aggregator;
    this.rxEngineMetrics = entry;
    this.#registry = registryBehind(registry);
  }

  get name(): string {
    return this.rxEngineMetrics.family.descriptor.name;
  }

  /**
   * prom-client's OpenMetrics writer assigns the name without `_total` before it asks for the values, and leaves it
   * so. Here that holds for the one answer it was meant for: a later text scrape still says `_total`.
   */
  set name(name: string) {
    this.#stripped = name !== this.name;
  }

  async get(): Promise<PromMetricValues> {
    return this.#answer(this.name, false);
  }

  async getForPromString(): Promise<PromMetricValues> {
    const stripped = this.type === 'counter' && (this.#stripped || isOpenMetrics(this.#registry));
    this.#stripped = false;
    return this.#answer(stripped ? this.name.replace(/_total$/, '') : this.name, true);
  }

  /** Zeroes the values, for `registry.resetMetrics()`. */
  reset(): void {
    if (!this.rxEngineMetrics.resettable) return;
    this.rxEngineMetrics.family.reset();
  }

  #answer(name: string, forWriter: boolean): PromMetricValues {
    const { help, type, aggregator } = this;
    return { name, help, type, aggregator, values: samplesOf(this.rxEngineMetrics, name, forWriter) };
  }
}
