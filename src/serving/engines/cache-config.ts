/** An engine's cache configuration as labels. */
import { isLabelName } from '../../metric/descriptor.js';
import type { ComputedSample } from '../../prom/registered-family.js';

/** A value as Python prints it: `True`, `False`, `None`, whole numbers without a point, floats as its repr. */
function pythonString(value: unknown): string {
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (value === null) return 'None';
  if (typeof value === 'number') return pythonNumber(value);
  return String(value).toWellFormed();
}

/** Not as on the page: Python's `str` has no exponent up to 1e16, the page from 1e6 on. */
function pythonNumber(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  if (value === 0 || Math.abs(value) >= 1e-4) return String(value);
  return value.toExponential().replace(/e-(\d)$/, 'e-0$1');
}

function keysOf(fields: object, refuse: (key: string) => void): string[] {
  try {
    return Object.keys(fields);
  } catch {
    refuse('all of it');
    return [];
  }
}

/**
 * The label set of an engine's configuration; keys that no label can have, or that the page has already, are given
 * to `refuse` and left out.
 * @see vllm/v1/metrics/loggers.py `log_metrics_info`
 */
export function cacheConfigLabels(
  engineIndex: number,
  fields: Readonly<Record<string, unknown>>,
  refuse: (key: string) => void,
): Readonly<Record<string, string>> {
  const entries: [string, string][] = [];
  for (const key of keysOf(fields, refuse)) {
    try {
      const value = fields[key];
      if (value === undefined) continue;
      if (isLabelName(key) && key !== 'engine') entries.push([key, pythonString(value)]);
      else refuse(key);
    } catch {
      refuse(key); // a getter that throws, an object that cannot be printed
    }
  }
  return Object.fromEntries([['engine', String(engineIndex)], ...entries]);
}

/** One sample of 1 per distinct label set: those of two models that agree appear once. */
export function cacheConfigSamples(labelSets: Iterable<Readonly<Record<string, string>>>): ComputedSample[] {
  const distinct = new Map<string, ComputedSample>();
  for (const labels of labelSets) {
    const key = JSON.stringify(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)));
    distinct.set(key, { labels, value: 1 });
  }
  return [...distinct.values()];
}
