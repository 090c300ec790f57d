/** The options of `ServingMetrics`, checked before anything is registered. */
import type { TimestampProvider } from 'rxjs';
import { checkUpperBounds } from '../metric/buckets.js';
import { isMetricName } from '../metric/descriptor.js';
import type { PromRegistry } from '../prom/prom-client.js';
import { type BucketFamilies, defaultBuckets } from './catalog/default-buckets.js';
import { assertKnownKeys, assertMember, assertObject, assertWholeNumber } from './checks.js';
import type { MetricsDiagnostic } from './diagnostics.js';
import { MAX_DRAFT_POSITIONS } from './engines/served-model.js';
import { assertProfile, type Profile } from './profile.js';

/** What `new ServingMetrics` takes; unknown keys throw. */
export interface ServingMetricsOptions {
  /** A registry of prom-client 15 or of its successor. */
  readonly registry: PromRegistry;
  /** The served model's name, as the label `model_name`. */
  readonly modelName: string;
  /** Engines to initialise at once; others are at their first use. */
  readonly engines?: readonly number[] | undefined;
  /** The model's context length in tokens: the token histograms' bounds then go up to it, as Python's. */
  readonly maxModelLen?: number | undefined;
  /** Bounds that replace vLLM's, by family of buckets. */
  readonly buckets?:
    | { readonly [Family in keyof BucketFamilies]?: BucketFamilies[Family] | undefined }
    | undefined;
  /** What the families' names begin with; `vllm:` by default. */
  readonly prefix?: string | undefined;
  /** Adds Python's `max_lora` label to the LoRA series; routers read it. */
  readonly maxLora?: number | undefined;
  /**
   * Tokens of a draft, 0 to 256: so many draft positions stand on the page for every engine from the start. Without it
   * they do as soon as the stats of any engine name them.
   */
  readonly numSpecTokens?: number | undefined;
  /** The frontend's clock in milliseconds; by default the monotonic one, below a millisecond. */
  readonly clock?: TimestampProvider | undefined;
  /** What a duration with a missing end counts as: 0 (upstream's rule, the default) or no sample. */
  readonly unknownIntervals?: 'zero' | 'omit' | undefined;
  /**
   * `'engine'`, the default: everything that vLLM's frontends export. `'gateway'`: what an observer of streams can know,
   * and nothing else; durations with a missing end are then no sample.
   */
  readonly profile?: Profile | undefined;
  /** Of a gateway: what the label `engine` says for each index, as upstreams have names. */
  readonly engineNames?: readonly string[] | undefined;
  /** Called for each value that was not recorded as it came; what it throws is ignored. */
  readonly onDiagnostic?: ((diagnostic: MetricsDiagnostic) => void) | undefined;
}

/** Options as the library works with them. */
export interface ResolvedOptions {
  readonly registry: PromRegistry;
  readonly modelName: string;
  readonly engines: readonly number[] | undefined;
  readonly buckets: BucketFamilies;
  readonly prefix: string;
  readonly maxLora: number | undefined;
  readonly numSpecTokens: number;
  /** Undefined: the default clock, with arrival times compared with the wall clock. */
  readonly clock: TimestampProvider | undefined;
  readonly omitUnknown: boolean;
  readonly profile: Profile;
  readonly engineNames: readonly string[];
  readonly onDiagnostic: ((diagnostic: MetricsDiagnostic) => void) | undefined;
}

const KNOWN: readonly string[] = [
  'registry',
  'modelName',
  'engines',
  'maxModelLen',
  'buckets',
  'prefix',
  'maxLora',
  'numSpecTokens',
  'clock',
  'unknownIntervals',
  'profile',
  'engineNames',
  'onDiagnostic',
];

function assertRegistry(registry: unknown): void {
  assertObject('registry', registry);
  for (const method of ['registerMetric', 'getSingleMetric', 'getMetricsAsJSON']) {
    assertMember(
      `registry.${method}`,
      registry[method],
      'a function',
      typeof registry[method] === 'function',
    );
  }
  assertMember(
    'registry.contentType',
    registry['contentType'],
    'a string',
    typeof registry['contentType'] === 'string',
  );
}

function resolveBuckets(options: ServingMetricsOptions): BucketFamilies {
  const { maxModelLen, buckets } = options;
  if (maxModelLen !== undefined) assertWholeNumber('maxModelLen', maxModelLen, 1);
  const resolved = defaultBuckets(maxModelLen);
  if (buckets === undefined) return resolved;
  assertObject('buckets', buckets);
  assertKnownKeys('buckets', buckets, Object.keys(resolved));
  const given = Object.entries(buckets).filter(([, bounds]) => bounds !== undefined);
  const replaced = given.map(([family, bounds]) => [family, checkUpperBounds(`buckets.${family}`, bounds)]);
  return { ...resolved, ...Object.fromEntries(replaced) };
}

function assertNumSpecTokens(numSpecTokens: unknown): void {
  if (numSpecTokens === undefined) return;
  assertWholeNumber('numSpecTokens', numSpecTokens);
  if (numSpecTokens <= MAX_DRAFT_POSITIONS) return;
  throw new RangeError(`numSpecTokens: expected at most ${MAX_DRAFT_POSITIONS}, got ${numSpecTokens}`);
}

function assertScalars(options: ServingMetricsOptions): void {
  const { modelName, engines, prefix, maxLora, clock, unknownIntervals, onDiagnostic } = options;
  assertMember(
    'modelName',
    modelName,
    'a non-empty string',
    typeof modelName === 'string' && modelName !== '',
  );
  if (engines !== undefined) {
    assertMember('engines', engines, 'an array of engine indexes', Array.isArray(engines));
    for (const engine of engines) assertWholeNumber('engines', engine);
  }
  if (prefix !== undefined) {
    const holds = typeof prefix === 'string' && isMetricName(`${prefix}x`);
    assertMember('prefix', prefix, 'the beginning of a metric name', holds);
  }
  if (maxLora !== undefined) assertWholeNumber('maxLora', maxLora);
  assertNumSpecTokens(options.numSpecTokens);
  if (clock !== undefined)
    assertMember('clock', clock, 'an object with now()', typeof clock?.now === 'function');
  if (unknownIntervals !== undefined) {
    const holds = unknownIntervals === 'zero' || unknownIntervals === 'omit';
    assertMember('unknownIntervals', unknownIntervals, "'zero' or 'omit'", holds);
  }
  if (onDiagnostic !== undefined) {
    assertMember('onDiagnostic', onDiagnostic, 'a function', typeof onDiagnostic === 'function');
  }
}

/**
 * @throws {TypeError | RangeError} naming the option, what was expected and what was given.
 */
export function resolveOptions(options: ServingMetricsOptions): ResolvedOptions {
  assertObject('options', options);
  assertKnownKeys('options', options, KNOWN);
  assertRegistry(options.registry);
  assertScalars(options);
  assertProfile(options.profile, options.engineNames);
  const {
    registry,
    engines,
    prefix = 'vllm:',
    maxLora,
    numSpecTokens = 0,
    clock,
    unknownIntervals,
    profile = 'engine',
    engineNames = [],
    onDiagnostic,
  } = options;
  // As the page must write it: names that it cannot tell apart are one model.
  const modelName = options.modelName.toWellFormed();
  const buckets = resolveBuckets(options);
  const omitUnknown = (unknownIntervals ?? (profile === 'gateway' ? 'omit' : 'zero')) === 'omit';
  return {
    registry,
    modelName,
    engines,
    buckets,
    prefix,
    maxLora,
    numSpecTokens,
    clock,
    omitUnknown,
    profile,
    engineNames,
    onDiagnostic,
  };
}
