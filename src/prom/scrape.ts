import { answersOf } from './answers.js';
import { isOpenMetrics, type PromMetricValues, type PromRegistry } from './prom-client.js';
import { registeredFamilyOf } from './registered-family.js';

/** What a registry answered when it was asked for a page. */
export interface Scrape {
  readonly answers: readonly PromMetricValues[];
  readonly openMetrics: boolean;
  /** True for a family that vLLM's spelling is for; the other ones are written as prom-client does. */
  isAsVllm(family: string): boolean;
}

/** Families of this prefix have vLLM's spelling also where our collectors are not: on a cluster's registry. */
const VLLM = 'vllm:';

export async function scrapeOf(registry: PromRegistry): Promise<Scrape> {
  const openMetrics = isOpenMetrics(registry); // as it says now, also if it is changed while metrics answer
  const answers = await answersOf(registry);
  const isAsVllm = (family: string): boolean =>
    family.startsWith(VLLM) || registeredFamilyOf(registry.getSingleMetric(family)) !== undefined;
  return { answers, openMetrics, isAsVllm };
}
