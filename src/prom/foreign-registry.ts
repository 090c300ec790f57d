/** Registries that answer in their own way: wrapped, cached, labelled, or not prom-client's at all. */
import { viewOf } from './default-labels.js';
import type { Askable, Inquiry } from './inquiry.js';
import type { PromMetricValues, PromRegistry } from './prom-client.js';

/** A metric in a registry's list that is asked once, whoever asks how often, and that never fails. */
interface Guard extends Askable {
  get(): Promise<PromMetricValues>;
}

/** The guards of one scrape. */
class Guards {
  readonly list: readonly Guard[];
  /** How many of them were asked. */
  asked = 0;
  readonly #inquiry: Inquiry;
  readonly #failed = new Set<string>();

  constructor(metrics: readonly unknown[], inquiry: Inquiry) {
    this.#inquiry = inquiry;
    this.list = metrics.map((metric) => this.#guard(metric as Askable));
  }

  /** The answers without those that stand for a metric that failed. */
  without(answers: readonly PromMetricValues[]): PromMetricValues[] {
    return answers.filter((answer) => !(this.#failed.has(answer?.name) && answer.values?.length === 0));
  }

  #guard(metric: Askable): Guard {
    let answer: Promise<PromMetricValues> | undefined;
    const get = (): Promise<PromMetricValues> => (answer ??= this.#ask(metric));
    return Object.create(metric, { get: { value: get } });
  }

  async #ask(metric: Askable): Promise<PromMetricValues> {
    this.asked++;
    const answer = await this.#inquiry.ask(metric);
    if (answer !== undefined) return answer;
    // A registry gives nothing at all if one of its metrics gives nothing: an empty one stands in.
    this.#failed.add(metric.name);
    return { name: metric.name, help: '', type: 'gauge', aggregator: 'sum', values: [] };
  }
}

async function askAll(registry: PromRegistry, guards: Guards, inquiry: Inquiry): Promise<unknown> {
  try {
    return await inquiry.within(() => viewOf(registry, guards.list).getMetricsAsJSON());
  } catch {
    // Below.
  }
  if (guards.asked === 0) {
    try {
      // A class with private members cannot be seen through a view.
      return await inquiry.within(() => registry.getMetricsAsJSON());
    } catch {
      inquiry.restart(); // it asks its metrics out of our sight, and one of them has failed or used up the time
    }
  }
  return Promise.all(guards.list.map((guard) => guard.get()));
}

/**
 * What such a registry answers for its metrics, our own among them with all their values. A metric that fails is left
 * out; if the registry asks its metrics without listing them, each is asked alone then, and default labels are lost.
 * @throws what the failing metric did, if the registry has no `getMetricsAsArray`.
 */
export async function answersOf(registry: PromRegistry, inquiry: Inquiry): Promise<PromMetricValues[]> {
  const metrics = registry.getMetricsAsArray?.();
  if (metrics === undefined)
    return (await inquiry.within(() => registry.getMetricsAsJSON())) as PromMetricValues[];
  const guards = new Guards(metrics, inquiry);
  return guards.without((await askAll(registry, guards, inquiry)) as PromMetricValues[]);
}
