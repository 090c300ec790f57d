/** The frontend's multimodal cache. */
import type { Counter } from '../../metric/counter.js';
import { isRecordable } from '../../metric/handle.js';
import type { Reporter } from '../diagnostics.js';
import type { EngineHandles } from '../engines/engine-handles.js';

/** Look-ups in the frontend's multimodal cache since the last call, in items. */
export interface MultiModalCacheStats {
  readonly queries: number;
  readonly hits: number;
}

type Field = keyof MultiModalCacheStats;

function count(counter: Counter, field: Field, stats: MultiModalCacheStats, reporter: Reporter): void {
  const value: unknown = stats[field];
  if (isRecordable(value)) counter.inc(value);
  else if (value !== undefined && value !== null)
    reporter.report(`mmCacheStats.${field}`, 'expected a count, took 0', value);
}

/** Adds the look-ups; never throws. */
export function recordMultiModalCache(
  metrics: EngineHandles,
  stats: MultiModalCacheStats,
  reporter: Reporter,
): void {
  try {
    if (typeof stats !== 'object' || stats === null) throw new TypeError('no object');
    count(metrics.mmCacheQueries, 'queries', stats, reporter);
    count(metrics.mmCacheHits, 'hits', stats, reporter);
  } catch {
    reporter.report('mmCacheStats', 'expected an object that can be read, ignored the rest of it', stats);
  }
}
