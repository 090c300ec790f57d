/**
 * What a page is made of. Our families are taken as they stand, without asking: their cells are read while the page
 * is written. Everybody else's metrics are asked once each, all at the same time (inquiry.ts), and get the registry's
 * default labels here (default-labels.ts). A registry that answers in its own way is asked as a whole
 * (foreign-registry.ts): our families then come as samples too, which is right but slower. Collectors that failed
 * are counted (collector-failures.ts) before the page is written.
 */
import { countFailures } from './collector-failures.js';
import { type DefaultLabels, defaultLabelsOf } from './default-labels.js';
import { answersOf } from './foreign-registry.js';
import { type Askable, Inquiry } from './inquiry.js';
import { isOpenMetrics, type PromMetricValues, type PromRegistry } from './prom-client.js';
import { type RegisteredFamily, registeredFamilyOf } from './registered-family.js';
import { VERSION } from './version.js';

/** A metric that is on the page with what it answered. */
export interface Answered {
  readonly answer: PromMetricValues;
  /** True if vLLM's spelling is for it; else it is written as prom-client does. */
  readonly asVllm: boolean;
}

/** What a registry has for a page, in its order. */
export interface Scrape {
  readonly parts: readonly (RegisteredFamily | Answered)[];
  readonly defaults: DefaultLabels;
  readonly openMetrics: boolean;
}

/** Families that begin so have vLLM's spelling also where our collectors are not: on a cluster's registry. */
const OURS = /^(?:vllm:|rx_engine_metrics_)/;

function answeredBy(registry: PromRegistry, answer: PromMetricValues): Answered {
  const name = answer?.name;
  const isOurs = (): boolean => registeredFamilyOf(registry.getSingleMetric(name)) !== undefined;
  return { answer, asVllm: typeof name === 'string' && (OURS.test(name) || isOurs()) };
}

/** The family behind a metric whose series can be read from their cells. */
function readableFamilyOf(metric: unknown): RegisteredFamily | undefined {
  const found = registeredFamilyOf(metric);
  if (found === undefined || found.version !== VERSION || found.compute !== undefined) return undefined;
  return Object.hasOwn(metric as object, 'get') ? undefined : found; // somebody's own `get` has the last word
}

async function partsOf(
  registry: PromRegistry,
  defaults: DefaultLabels | undefined,
  inquiry: Inquiry,
): Promise<(RegisteredFamily | Answered)[]> {
  const metrics = defaults && registry.getMetricsAsArray?.();
  if (metrics === undefined) {
    return (await answersOf(registry, inquiry)).map((answer) => answeredBy(registry, answer));
  }
  const askedFor = async (metric: unknown): Promise<Answered | undefined> => {
    const answer = await inquiry.ask(metric as Askable);
    return answer && answeredBy(registry, answer);
  };
  const parts = await Promise.all(metrics.map((metric) => readableFamilyOf(metric) ?? askedFor(metric)));
  return parts.filter((part) => part !== undefined);
}

/** The parts with the count of failures as it is now: the family itself, or its answer if a registry gave one before. */
function withFailures(
  parts: readonly (RegisteredFamily | Answered)[],
  failures: RegisteredFamily,
): readonly (RegisteredFamily | Answered)[] {
  const { name } = failures.family.descriptor;
  const value = failures.family.series().value;
  let isShown = parts.includes(failures);
  const counted = parts.map((part) => {
    if (!('answer' in part) || part.answer.name !== name) return part;
    isShown = true;
    const values = part.answer.values.map((sample) => ({ ...sample, value }));
    return { ...part, answer: { ...part.answer, values } };
  });
  return isShown ? counted : [...counted, failures];
}

/** Asks the registry for a page; its collectors have `timeoutMs` together, and who takes longer is left out. */
export async function scrapeOf(registry: PromRegistry, timeoutMs: number): Promise<Scrape> {
  const openMetrics = isOpenMetrics(registry); // as it says now, also if it is changed while metrics answer
  const inquiry = new Inquiry(timeoutMs);
  try {
    const defaults = await defaultLabelsOf(registry, inquiry);
    const parts = await partsOf(registry, defaults, inquiry);
    const failures = inquiry.failures > 0 ? countFailures(registry, inquiry.failures) : undefined;
    const shown = failures === undefined ? parts : withFailures(parts, failures);
    return { parts: shown, defaults: defaults ?? {}, openMetrics };
  } finally {
    inquiry.end();
  }
}
