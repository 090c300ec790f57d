/**
 * How a renderer finds our families on a registry through prom-client's public API: it asks for everybody's values,
 * and while it asks, our collectors answer with one marker instead of thousands of samples. The marker comes back
 * in its place among the others and with the registry's default labels.
 */
import type { PromRegistry, PromSample } from './prom-client.js';
import { type RegisteredFamily, registeredFamilyOf } from './registered-family.js';

const FAMILY = Symbol('family');

interface Marker extends PromSample {
  readonly [FAMILY]: RegisteredFamily;
}

interface Scan {
  readonly registry: PromRegistry;
  /** How often each family was asked. */
  readonly asked: Map<RegisteredFamily, number>;
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
export function markerFor(entry: RegisteredFamily): Promise<PromSample | undefined> | undefined {
  const open = scan;
  if (open === undefined || entry.compute !== undefined) return undefined;
  if (registeredFamilyOf(open.registry.getSingleMetric(entry.family.descriptor.name)) !== entry)
    return undefined;
  open.asked.set(entry, (open.asked.get(entry) ?? 0) + 1);
  const marker: Marker = { labels: {}, value: 0, [FAMILY]: entry };
  return Promise.resolve().then(() => (open.asked.get(entry) === 1 ? marker : undefined));
}

/** The family that a scan's sample stands for, if it is a marker. */
export function familyOf(sample: PromSample | undefined): RegisteredFamily | undefined {
  return (sample as Marker | undefined)?.[FAMILY];
}
