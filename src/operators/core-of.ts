/** Checks what an operator was given as its metrics. The error for anything else names the likely slip. */
import { printed } from '../serving/checks.js';
import type { ServingCore } from '../serving/engines/serving-core.js';
import type { ServingMetrics } from '../serving/serving-metrics.js';

/** By shape, because another loaded copy of the package has another class. */
function isServingMetrics(value: unknown): value is ServingMetrics {
  return (
    typeof (value as { core?: Partial<ServingCore> } | null | undefined)?.core?.activeEngine === 'function'
  );
}

function slipOf(given: unknown, next: unknown): string {
  if (isServingMetrics(next)) return 'the arguments in the other order';
  if (typeof given === 'function') return `${given.name || 'a function'}; make an instance with \`new\``;
  if (typeof (given as { registerMetric?: unknown } | null | undefined)?.registerMetric === 'function')
    return 'a registry; give it to `new ServingMetrics({ registry, modelName })`';
  return printed(given);
}

/**
 * The core of `metrics`, which is the first argument of `operator`; `next` is the second.
 * @throws {TypeError} if it is not a `ServingMetrics`.
 */
export function coreOf(operator: string, metrics: unknown, next?: unknown): ServingCore {
  if (isServingMetrics(metrics)) return metrics.core;
  throw new TypeError(`${operator}.metrics: expected a ServingMetrics, got ${slipOf(metrics, next)}`);
}

/**
 * {@link coreOf} for operators whose families a gateway does not have: it sees streams, but no schedulers.
 * @throws {TypeError} if `metrics` is not a `ServingMetrics`, or is a gateway's.
 */
export function engineCoreOf(operator: string, metrics: unknown, next?: unknown): ServingCore {
  const core = coreOf(operator, metrics, next);
  if (core.profile !== 'gateway') return core;
  throw new TypeError(`${operator}.metrics: expected profile 'engine', got 'gateway'`);
}
