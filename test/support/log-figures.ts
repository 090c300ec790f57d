/** Figures of the stats log that several tests start from. */
import type { StatsLogSpecDecoding, StatsLogStats } from '../../src/index.js';

/** Engine 0 without any traffic. */
export const IDLE: StatsLogStats = {
  promptThroughput: 0,
  generationThroughput: 0,
  numRunning: 0,
  numWaiting: 0,
  numDeferred: 0,
  numPreemptions: 0,
  numCorrupted: 0,
  kvCacheUsage: 0,
  prefixCacheHitRate: 0,
  engineIndex: 0,
  numEngines: 1,
};

/** Worked example 12 of upstream's tests: 4 drafts of 5 tokens in 2 s, 12 of them accepted. */
export const DRAFTS: StatsLogSpecDecoding = {
  meanAcceptanceLength: 4,
  acceptedThroughput: 6,
  draftedThroughput: 10,
  acceptedTokens: 12,
  draftedTokens: 20,
  perPositionAcceptanceRates: [1, 0.5, 0.25],
  draftAcceptanceRate: 0.6,
};

export const DRAFTS_LINE: string =
  'SpecDecoding metrics: Mean acceptance length: 4.00, Accepted throughput: 6.00 tokens/s, ' +
  'Drafted throughput: 10.00 tokens/s, Accepted: 12 tokens, Drafted: 20 tokens, ' +
  'Per-position acceptance rate: 1.000, 0.500, 0.250, Avg Draft acceptance rate: 60.0%';
