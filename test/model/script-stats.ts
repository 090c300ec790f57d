/** Random scheduler stats: any field may be absent. */
import fc, { type Arbitrary } from 'fast-check';
import type { SchedulerStats } from '../../src/index.js';

/** 64ths, up to 40 s. */
export const seconds: Arbitrary<number> = fc.nat({ max: 64 * 40 }).map((n) => n / 64);

const count = fc.nat({ max: 5000 });
const cache = fc.record({
  queries: count,
  hits: count,
  hitsBySource: fc.dictionary(
    fc.constantFrom('device', 'host', 'p2p', 'disk', 'external_unspecified'),
    count,
  ),
});
export const stats: Arbitrary<SchedulerStats> = fc.record(
  {
    numRunningReqs: count,
    numWaitingReqs: count,
    numSkippedWaitingReqs: count,
    kvCacheUsage: fc.nat({ max: 64 }).map((n) => n / 64),
    prefixCacheStats: cache,
    connectorPrefixCacheStats: cache,
    specDecodingStats: fc.record({
      numDrafts: count,
      numDraftTokens: count,
      numAcceptedTokens: count,
      numAcceptedTokensPerPos: fc.array(count, { maxLength: 4 }),
    }),
    perfStats: fc.record({ numFlopsPerGpu: count, numReadBytesPerGpu: count, numWriteBytesPerGpu: count }),
    kvCacheEvictionEvents: fc.array(
      fc.record({
        lifetimeSeconds: seconds,
        idleSeconds: seconds,
        reuseGapsSeconds: fc.array(seconds, { maxLength: 3 }),
      }),
      { maxLength: 2 },
    ),
  },
  { requiredKeys: [] },
);
