/** Bytes per scheduler record: a usual one, and one with every part. */
import { noop, tap } from 'rxjs';
import { answer, api, FIRST, metrics, Push, testing } from './load.mjs';
import { allocatedPerTurn } from './measure.mjs';

const RECORDS = 500_000;

const USUAL = testing.schedulerStats({
  ...{ numRunningReqs: 12, numWaitingReqs: 3, numSkippedWaitingReqs: 1, kvCacheUsage: 0.625 },
  prefixCacheStats: { queries: 100, hits: 50 },
  specDecodingStats: {
    numDrafts: 8,
    numDraftTokens: 32,
    numAcceptedTokens: 20,
    numAcceptedTokensPerPos: [8, 6, 4, 2],
  },
  perfStats: { numFlopsPerGpu: 1e12, numReadBytesPerGpu: 1e9, numWriteBytesPerGpu: 1e8 },
});
const FULL = {
  ...USUAL,
  connectorPrefixCacheStats: { queries: 10, hits: 5, hitsBySource: { host: 3, disk: 2 } },
  kvCacheEvictionEvents: [{ lifetimeSeconds: 2.5, idleSeconds: 0.5, reuseGapsSeconds: [0.25, 0.75] }],
};

function perRecord(schedulerStats) {
  const source = new Push();
  source.pipe(api.withSchedulerMetrics(metrics)).subscribe(() => {});
  // Two of them in turn: one that comes again right after itself counts once.
  const batch = { engineIndex: 0, outputs: [FIRST.output, FIRST.output], schedulerStats, timestamp: 1 };
  const batches = [batch, { ...batch }];
  return allocatedPerTurn((turns) => {
    for (let i = 0; i < turns; i++) source.subscriber.next(batches[i & 1]);
  }, RECORDS);
}

const source = new Push();
source.pipe(tap(noop)).subscribe(() => {});
const batch = { engineIndex: 0, outputs: [FIRST.output, FIRST.output], schedulerStats: USUAL, timestamp: 1 };
const bare = allocatedPerTurn((turns) => {
  for (let i = 0; i < turns; i++) source.subscriber.next(batch);
}, RECORDS);
answer({ bare, usual: perRecord(USUAL), full: perRecord(FULL) });
