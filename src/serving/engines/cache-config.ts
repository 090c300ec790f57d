/** An engine's cache configuration as labels. */
import { isLabelName } from '../../metric/descriptor.js';
import { type Stamp, stamped } from '../../metric/stamp.js';
import type { ComputedSample } from '../../prom/registered-family.js';
import { LONGEST_TEXT, pythonText } from './python-text.js';

/** A label's text; `refuse` is told of one that had to be cut. */
function labelText(key: string, value: unknown, refuse: Refuse): string {
  const text = pythonText(value);
  if (text.length > LONGEST_TEXT) refuse(key, `expected at most ${LONGEST_TEXT} characters, cut it`);
  return text.slice(0, LONGEST_TEXT).toWellFormed();
}

/** Told of a key, and of what was done about it. */
export type Refuse = (key: string, message: string) => void;

const LEFT_OUT = 'expected a label name and a value that Python prints, left it out';

function keysOf(fields: object, refuse: Refuse): string[] {
  try {
    return Object.keys(fields);
  } catch {
    refuse('all of it', LEFT_OUT);
    return [];
  }
}

/**
 * The label set of an engine's configuration; keys that no label can have, or that the page has already, are given
 * to `refuse` and left out, as are values without a form in Python.
 * @see vllm/v1/metrics/loggers.py `log_metrics_info`
 */
export function cacheConfigLabels(
  engineIndex: number,
  fields: Readonly<Record<string, unknown>>,
  refuse: Refuse,
): Readonly<Record<string, string>> {
  const entries: [string, string][] = [];
  for (const key of keysOf(fields, refuse)) {
    try {
      const value = fields[key];
      if (value === undefined) continue;
      if (isLabelName(key) && key !== 'engine') entries.push([key, labelText(key, value, refuse)]);
      else refuse(key, LEFT_OUT);
    } catch {
      refuse(key, LEFT_OUT); // a getter that throws, a value that has no form in Python
    }
  }
  return Object.fromEntries([['engine', String(engineIndex)], ...entries]);
}

/** An engine that may have a configuration. */
interface Configured {
  readonly cacheConfig: Readonly<Record<string, string>> | undefined;
  /** When it was set. */
  readonly configured: Stamp;
}

/** One sample of 1 per distinct label set: those of two models that agree appear once. */
export function cacheConfigSamples(engines: Iterable<Configured>): ComputedSample[] {
  const distinct = new Map<string, ComputedSample>();
  for (const { cacheConfig: labels, configured } of engines) {
    if (labels === undefined) continue;
    const key = JSON.stringify(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)));
    const setAt = { ...distinct.get(key)?.setAt, ...stamped(configured) };
    distinct.set(key, { labels, value: 1, setAt });
  }
  return [...distinct.values()];
}
