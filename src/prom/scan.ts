/**
 * How a renderer finds our families on a registry through prom-client's public API: it asks for everybody's values,
 * and while it asks, our collectors answer with one marker instead of thousands of samples. The marker comes back
 * in its place among the others and with the registry's default labels.
 */
import type { PromRegistry, PromSample } from './prom-client.js';
import { type Shared, sharedOf } from './registered-family.js';

const FAMILY = Symbol('family');

interface Marker extends PromSample {
  readonly [FAMILY]: Shared;
}

interface Scan {
  readonly registry: PromRegistry;
  /** How often each family was asked. */
  readonly asked: Map<Shared, number>;
}

/** The scan whose synchronous part runs. */
let scan: Scan | undefined;

/** Calls `question`, during whose synchronous part our collectors on `registry` may answer with markers. */
export function scanning<T>(registry: PromRegistry, question: () => T): T {
  const outer = scan;
  scan = { registry, asked: new Map() };
  try {
    return question();
  } finally {
    scan = outer;
  }
}

/**
 * Resolves to the marker of a family that is asked by a scan; undefined, or resolves to it, if the values are wanted.
 * A foreign collector may read ours while it is asked itself: a family that is asked twice gives its values to both.
 */
export function markerFor(shared: Shared): Promise<PromSample | undefined> | undefined {
  const open = scan;
  if (open === undefined || shared.compute !== undefined) return undefined;
  if (sharedOf(open.registry.getSingleMetric(shared.family.descriptor.name)) !== shared) return undefined;
  open.asked.set(shared, (open.asked.get(shared) ?? 0) + 1);
  const marker: Marker = { labels: {}, value: 0, [FAMILY]: shared };
  return Promise.resolve().then(() => (open.asked.get(shared) === 1 ? marker : undefined));
}

/** The family that a scan's sample stands for, if it is a marker. */
export function familyOf(sample: PromSample | undefined): Shared | undefined {
  return (sample as Marker | undefined)?.[FAMILY];
}
