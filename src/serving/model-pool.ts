import { assertMember, assertObject, assertWholeNumber } from './checks.js';
import type { ServingMetricsOptions } from './options.js';
import { ServingMetrics } from './serving-metrics.js';

/** What {@link modelPool} takes: the options of each instance, and which names may be models. */
export interface ModelPoolOptions extends Omit<ServingMetricsOptions, 'modelName'> {
  /** Models that are there from the start and always. */
  readonly models?: readonly string[] | undefined;
  /** So many names have an instance of their own, `models` among them; 64 by default. */
  readonly maxModels?: number | undefined;
}

/** Where names beyond the limit are counted. */
const OTHER = 'other';

/** A label longer than this is an attack, not a name. */
const LONGEST_NAME = 256;

function isName(name: unknown): name is string {
  return typeof name === 'string' && name !== '' && name.length <= LONGEST_NAME;
}

/**
 * Metrics by model name, for a gateway that learns names from its clients: a name gets an instance at its first use.
 * Names beyond the limit share `other`, each with a diagnostic; an instance, once made, stays.
 * @throws {TypeError | RangeError} at the call on a bad option. The function it gives throws nothing.
 */
export function modelPool(options: ModelPoolOptions): (modelName: string) => ServingMetrics {
  assertObject('modelPool.options', options);
  const { models = [], maxModels = 64, ...shared } = options;
  assertMember('modelPool.models', models, 'an array of names', Array.isArray(models));
  // Before the first is made: a bad name must leave nothing on the registry.
  for (const name of models) assertMember('modelPool.models', name, 'non-empty names', isName(name));
  assertWholeNumber('modelPool.maxModels', maxModels, 1);
  const pool = new Map<string, ServingMetrics>();
  const add = (modelName: string): ServingMetrics => {
    const made = new ServingMetrics({ ...shared, modelName });
    pool.set(modelName, made);
    return made;
  };
  for (const name of models) add(name);
  const other = pool.get(OTHER) ?? add(OTHER);
  const mostKept = Math.max(maxModels, models.length) + (models.includes(OTHER) ? 0 : 1);
  return (modelName) => {
    const known = pool.get(modelName);
    if (known !== undefined) return known;
    if (isName(modelName) && pool.size < mostKept) return add(modelName);
    const expected = isName(modelName)
      ? `at most ${maxModels} models`
      : `a name of 1 to ${LONGEST_NAME} characters`;
    other.core.diagnostics.report('modelName', `expected ${expected}, took ${OTHER}`, modelName);
    return other;
  };
}
