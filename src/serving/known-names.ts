/**
 * The field names of what engines send. A struct with keys of which none is known (snake_case, the wire's arrays) would
 * read as one in which everything is absent: zeros everywhere, and no word why.
 */
import type { EngineCoreEvent } from '../engine-core/engine-core-event.js';
import type { EngineCoreOutput, PrefillStats } from '../engine-core/engine-core-outputs.js';
import type {
  KVCacheEvictionEvent,
  PerfStats,
  PrefixCacheStats,
  SchedulerStats,
  SpecDecodingStats,
} from '../engine-core/scheduler-stats.js';
import type { DiagnosticSource, Reporter } from './diagnostics.js';

/** Every name of a struct: one that is missing here does not compile. */
type Names<Struct> = Readonly<Record<keyof Struct, true>>;

const setOf = (names: Readonly<Record<string, true>>): ReadonlySet<string> => new Set(Object.keys(names));

const output: Names<EngineCoreOutput> = {
  requestId: true,
  newTokenIds: true,
  newLogprobs: true,
  newPromptLogprobsTensors: true,
  poolingOutput: true,
  finishReason: true,
  stopReason: true,
  events: true,
  kvTransferParams: true,
  ecTransferParams: true,
  traceHeaders: true,
  prefillStats: true,
  routedExperts: true,
  numNansInLogits: true,
  mmCacheMissHashes: true,
  newSamplingMask: true,
  specDecodeMetrics: true,
  promptTokenIdLogprobs: true,
};

const event: Names<EngineCoreEvent> = { type: true, timestamp: true };

const prefillStats: Names<PrefillStats> = {
  numPromptTokens: true,
  numComputedTokens: true,
  numCachedTokens: true,
  numLocalCachedTokens: true,
  numExternalCachedTokens: true,
  numCacheCreationTokens: true,
};

const schedulerStats: Names<SchedulerStats> = {
  numRunningReqs: true,
  numWaitingReqs: true,
  numSkippedWaitingReqs: true,
  numKvFetchReqsByStage: true,
  stepCounter: true,
  currentWave: true,
  kvCacheUsage: true,
  iterationDetails: true,
  prefixCacheStats: true,
  connectorPrefixCacheStats: true,
  kvCacheEvictionEvents: true,
  specDecodingStats: true,
  kvConnectorStats: true,
  ecConnectorStats: true,
  waitingLoraAdapters: true,
  runningLoraAdapters: true,
  cudagraphStats: true,
  perfStats: true,
};

const prefixCacheStats: Names<PrefixCacheStats> = {
  reset: true,
  requests: true,
  queries: true,
  hits: true,
  preemptedRequests: true,
  preemptedQueries: true,
  preemptedHits: true,
  hitsBySource: true,
};

const specDecodingStats: Names<SpecDecodingStats> = {
  numSpecTokens: true,
  numDrafts: true,
  numDraftTokens: true,
  numAcceptedTokens: true,
  numAcceptedTokensPerPos: true,
  numDraftTokensPerPos: true,
};

const perfStats: Names<PerfStats> = {
  numFlopsPerGpu: true,
  numReadBytesPerGpu: true,
  numWriteBytesPerGpu: true,
  debugStats: true,
};

const evictionEvent: Names<KVCacheEvictionEvent> = {
  lifetimeSeconds: true,
  idleSeconds: true,
  reuseGapsSeconds: true,
};

export const OUTPUT_NAMES: ReadonlySet<string> = setOf(output);
export const EVENT_NAMES: ReadonlySet<string> = setOf(event);
export const PREFILL_STATS_NAMES: ReadonlySet<string> = setOf(prefillStats);
export const SCHEDULER_STATS_NAMES: ReadonlySet<string> = setOf(schedulerStats);
export const PREFIX_CACHE_STATS_NAMES: ReadonlySet<string> = setOf(prefixCacheStats);
export const SPEC_DECODING_STATS_NAMES: ReadonlySet<string> = setOf(specDecodingStats);
export const PERF_STATS_NAMES: ReadonlySet<string> = setOf(perfStats);
export const EVICTION_EVENT_NAMES: ReadonlySet<string> = setOf(evictionEvent);

/** Reports a struct that has keys, none of them known; true if it does. Cold: ask only where a field that is always sent is absent. */
export function watchNames(
  reporter: Reporter,
  source: DiagnosticSource,
  known: ReadonlySet<string>,
  struct: object,
): boolean {
  const names = Object.keys(struct);
  if (names.length === 0 || names.some((name) => known.has(name))) return false;
  reporter.report(source, `expected camelCase fields such as ${[...known][0]}, found none of them`, struct);
  return true;
}
