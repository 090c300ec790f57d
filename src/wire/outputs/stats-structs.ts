/** The map of a step's scheduler stats and those inside it, in the wire's order. @see vllm/v1/metrics/stats.py */
import { DEBUG_STATS, ITERATION_DETAILS } from './detail-structs.js';
import { type MapStruct, newerRow, row } from './map-struct.js';

const PREFIX_CACHE_STATS: MapStruct = {
  fields: [
    row('reset', 'flag'),
    row('requests', 'count'),
    row('queries', 'count'),
    row('hits', 'count'),
    row('preemptedRequests', 'count'),
    row('preemptedQueries', 'count'),
    row('preemptedHits', 'count'),
    newerRow('hitsBySource', 'tally'),
  ],
  create: () => ({
    reset: false,
    requests: 0,
    queries: 0,
    hits: 0,
    preemptedRequests: 0,
    preemptedQueries: 0,
    preemptedHits: 0,
    hitsBySource: undefined,
  }),
};

const EVICTION_EVENT: MapStruct = {
  fields: [row('lifetimeSeconds', 'float'), row('idleSeconds', 'float'), row('reuseGapsSeconds', 'floats')],
  create: () => ({ lifetimeSeconds: undefined, idleSeconds: undefined, reuseGapsSeconds: undefined }),
};

const SPEC_DECODING_STATS: MapStruct = {
  fields: [
    row('numSpecTokens', 'count'),
    row('numDrafts', 'count'),
    row('numDraftTokens', 'count'),
    row('numAcceptedTokens', 'count'),
    row('numAcceptedTokensPerPos', 'counts'),
    row('numDraftTokensPerPos', 'counts'),
  ],
  create: () => ({
    numSpecTokens: undefined,
    numDrafts: 0,
    numDraftTokens: 0,
    numAcceptedTokens: 0,
    numAcceptedTokensPerPos: undefined,
    numDraftTokensPerPos: undefined,
  }),
};

const CUDAGRAPH_STATS: MapStruct = {
  fields: [
    row('numUnpaddedTokens', 'count'),
    row('numPaddedTokens', 'count'),
    row('numPaddings', 'count'),
    row('runtimeMode', 'text'),
  ],
  create: () => ({
    numUnpaddedTokens: undefined,
    numPaddedTokens: undefined,
    numPaddings: undefined,
    runtimeMode: undefined,
  }),
};

const PERF_STATS: MapStruct = {
  fields: [
    row('numFlopsPerGpu', 'count'),
    row('numReadBytesPerGpu', 'count'),
    row('numWriteBytesPerGpu', 'count'),
    row('debugStats', DEBUG_STATS),
  ],
  create: () => ({
    numFlopsPerGpu: 0,
    numReadBytesPerGpu: 0,
    numWriteBytesPerGpu: 0,
    debugStats: undefined,
  }),
};

export const SCHEDULER_STATS: MapStruct = {
  fields: [
    row('numRunningReqs', 'count'),
    row('numWaitingReqs', 'count'),
    row('numSkippedWaitingReqs', 'count'),
    newerRow('numKvFetchReqsByStage', 'tally'),
    row('stepCounter', 'count'),
    row('currentWave', 'count'),
    row('kvCacheUsage', 'float'),
    row('iterationDetails', ITERATION_DETAILS),
    row('prefixCacheStats', PREFIX_CACHE_STATS),
    row('connectorPrefixCacheStats', PREFIX_CACHE_STATS),
    row('kvCacheEvictionEvents', [EVICTION_EVENT]),
    row('specDecodingStats', SPEC_DECODING_STATS),
    row('kvConnectorStats', 'connector'),
    newerRow('ecConnectorStats', 'opaque'),
    row('waitingLoraAdapters', 'tally'),
    row('runningLoraAdapters', 'tally'),
    row('cudagraphStats', CUDAGRAPH_STATS),
    row('perfStats', PERF_STATS),
  ],
  create: () => ({
    numRunningReqs: 0,
    numWaitingReqs: 0,
    numSkippedWaitingReqs: 0,
    numKvFetchReqsByStage: undefined,
    stepCounter: 0,
    currentWave: 0,
    kvCacheUsage: 0,
    iterationDetails: undefined,
    prefixCacheStats: PREFIX_CACHE_STATS.create(),
    connectorPrefixCacheStats: undefined,
    kvCacheEvictionEvents: [],
    specDecodingStats: undefined,
    kvConnectorStats: undefined,
    ecConnectorStats: undefined,
    waitingLoraAdapters: {},
    runningLoraAdapters: {},
    cudagraphStats: undefined,
    perfStats: undefined,
  }),
};
