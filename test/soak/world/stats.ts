/** Scheduler stats: made, and booked by the rules. */
import type { EngineCoreOutputs, SchedulerStats } from '../../../src/index.js';
import { recordBatch } from '../../model/scheduler.js';
import type { Ledger } from '../ledger.js';
import type { Random } from '../random.js';
import type { ModelCounts } from './counts.js';

const ODD: readonly (readonly [kind: string, fields: object])[] = [
  ['running requests that are no number', { numRunningReqs: Number.NaN }],
  ['negative waiting requests', { numWaitingReqs: -3 }],
  ['cache usage above 1', { kvCacheUsage: 1.5 }],
  ['prefix cache stats that are no struct', { prefixCacheStats: 'x' }],
  ['negative look-ups', { prefixCacheStats: { queries: -1, hits: 2 } }],
  [
    'infinite drafts',
    { specDecodingStats: { numDrafts: Number.POSITIVE_INFINITY, numAcceptedTokensPerPos: [] } },
  ],
];

export function drawStats(random: Random, numRunningReqs: number, ledger: Ledger): SchedulerStats {
  const queries = random.below(100);
  const numDrafts = random.below(4);
  const stats: SchedulerStats = {
    numRunningReqs,
    numWaitingReqs: random.below(5),
    numSkippedWaitingReqs: random.below(3),
    kvCacheUsage: random.below(1024) / 1024,
    prefixCacheStats: { queries, hits: random.below(queries + 1) },
    specDecodingStats: random.chance(0.3)
      ? {
          numDrafts,
          numDraftTokens: 3 * numDrafts,
          numAcceptedTokens: numDrafts,
          numAcceptedTokensPerPos: [numDrafts],
        }
      : undefined,
  };
  if (!random.chance(0.02)) return stats;
  const [kind, fields] = random.pick(ODD);
  ledger.fault(kind);
  return { ...stats, ...fields };
}

/** Books a step by the rules, unless it cannot be read at all. */
export function bookStep(model: ModelCounts, batch: EngineCoreOutputs): void {
  if (batch.engineIndex >= 0 && Array.isArray(batch.outputs)) recordBatch(model, batch);
}
