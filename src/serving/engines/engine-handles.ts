import type { FinishReason } from '../../engine-core/engine-core-event.js';
import type { Counter } from '../../metric/counter.js';
import type { Gauge } from '../../metric/gauge.js';
import type { Histogram } from '../../metric/histogram.js';
import type {
  CachedTokensBySource,
  EngineMetrics,
  KvFetchStages,
  PromptTokensBySource,
  SleepStates,
  WaitingByReason,
} from './engine-metrics.js';
import { EngineSeries } from './series-holder.js';

/** A struct of handles as the recorders have it. */
type Of<Struct, Kind> = Readonly<Record<keyof Struct, Kind>>;

/** {@link EngineMetrics} as the recorders have it: with the handles' inner doors. */
export class EngineHandles extends EngineSeries implements EngineMetrics {
  readonly numPreemptions: Counter = this.counter('numPreemptions');
  readonly promptTokens: Counter = this.counter('promptTokens');
  readonly promptTokensBySource: Of<PromptTokensBySource, Counter> = {
    localCompute: this.counter('promptTokensBySource', 'local_compute'),
    localCacheHit: this.counter('promptTokensBySource', 'local_cache_hit'),
    externalKvTransfer: this.counter('promptTokensBySource', 'external_kv_transfer'),
  };
  readonly promptTokensCached: Counter = this.counter('promptTokensCached');
  readonly generationTokens: Counter = this.counter('generationTokens');
  readonly requestSuccess: Readonly<Record<FinishReason, Counter>> = {
    stop: this.counter('requestSuccess', 'stop'),
    length: this.counter('requestSuccess', 'length'),
    abort: this.counter('requestSuccess', 'abort'),
    error: this.counter('requestSuccess', 'error'),
    repetition: this.counter('requestSuccess', 'repetition'),
  };
  readonly corruptedRequests: Counter = this.counter('corruptedRequests');
  readonly requestPromptTokens: Histogram = this.histogram('requestPromptTokens');
  readonly requestGenerationTokens: Histogram = this.histogram('requestGenerationTokens');
  readonly requestMaxNumGenerationTokens: Histogram = this.histogram('requestMaxNumGenerationTokens');
  readonly requestParamsMaxTokens: Histogram = this.histogram('requestParamsMaxTokens');
  readonly requestParamsN: Histogram = this.histogram('requestParamsN');
  readonly requestNumPreemptions: Histogram = this.histogram('requestNumPreemptions');
  readonly requestPrefillKvComputedTokens: Histogram = this.histogram('requestPrefillKvComputedTokens');
  readonly timeToFirstTokenSeconds: Histogram = this.histogram('timeToFirstTokenSeconds');
  readonly interTokenLatencySeconds: Histogram = this.histogram('interTokenLatencySeconds');
  readonly requestTimePerOutputTokenSeconds: Histogram = this.histogram('requestTimePerOutputTokenSeconds');
  readonly e2eRequestLatencySeconds: Histogram = this.histogram('e2eRequestLatencySeconds');
  readonly requestQueueTimeSeconds: Histogram = this.histogram('requestQueueTimeSeconds');
  readonly requestPrefillTimeSeconds: Histogram = this.histogram('requestPrefillTimeSeconds');
  readonly requestDecodeTimeSeconds: Histogram = this.histogram('requestDecodeTimeSeconds');
  readonly requestInferenceTimeSeconds: Histogram = this.histogram('requestInferenceTimeSeconds');
  readonly requestsInFlight: Gauge = this.inFlight();
  readonly numRequestsRunning: Gauge = this.gauge('numRequestsRunning');
  readonly numRequestsWaiting: Gauge = this.gauge('numRequestsWaiting');
  readonly numRequestsWaitingByReason: Of<WaitingByReason, Gauge> = {
    capacity: this.gauge('numRequestsWaitingByReason', 'capacity'),
    deferred: this.gauge('numRequestsWaitingByReason', 'deferred'),
  };
  readonly numRequestsKvFetchByStage: Of<KvFetchStages, Gauge> = {
    waitingToStart: this.gauge('numRequestsKvFetchByStage', 'waiting_to_start'),
    inProgress: this.gauge('numRequestsKvFetchByStage', 'in_progress'),
    completedWaiting: this.gauge('numRequestsKvFetchByStage', 'completed_waiting'),
  };
  readonly kvCacheUsagePerc: Gauge = this.gauge('kvCacheUsagePerc');
  readonly engineSleepState: Of<SleepStates, Gauge> = {
    awake: this.gauge('engineSleepState', 'awake'),
    weightsOffloaded: this.gauge('engineSleepState', 'weights_offloaded'),
    discardAll: this.gauge('engineSleepState', 'discard_all'),
  };
  readonly prefixCacheQueries: Counter = this.counter('prefixCacheQueries');
  readonly prefixCacheHits: Counter = this.counter('prefixCacheHits');
  readonly externalPrefixCacheQueries: Counter = this.counter('externalPrefixCacheQueries');
  readonly externalPrefixCacheHits: Counter = this.counter('externalPrefixCacheHits');
  readonly promptTokensCachedBySource: Of<CachedTokensBySource, Counter> = {
    device: this.counter('promptTokensCachedBySource', 'device'),
    host: this.counter('promptTokensCachedBySource', 'host'),
    p2p: this.counter('promptTokensCachedBySource', 'p2p'),
    disk: this.counter('promptTokensCachedBySource', 'disk'),
    externalUnspecified: this.counter('promptTokensCachedBySource', 'external_unspecified'),
  };
  readonly mmCacheQueries: Counter = this.counter('mmCacheQueries');
  readonly mmCacheHits: Counter = this.counter('mmCacheHits');
  readonly iterationTokens: Histogram = this.histogram('iterationTokens');
  readonly specDecodeNumDrafts: Counter = this.counter('specDecodeNumDrafts');
  readonly specDecodeNumDraftTokens: Counter = this.counter('specDecodeNumDraftTokens');
  readonly specDecodeNumAcceptedTokens: Counter = this.counter('specDecodeNumAcceptedTokens');
  readonly specDecodeNumAcceptedTokensPerPos: Counter[] = [];
  readonly estimatedFlopsPerGpu: Counter = this.counter('estimatedFlopsPerGpu');
  readonly estimatedReadBytesPerGpu: Counter = this.counter('estimatedReadBytesPerGpu');
  readonly estimatedWriteBytesPerGpu: Counter = this.counter('estimatedWriteBytesPerGpu');
  readonly kvBlockLifetimeSeconds: Histogram = this.histogram('kvBlockLifetimeSeconds');
  readonly kvBlockIdleBeforeEvictSeconds: Histogram = this.histogram('kvBlockIdleBeforeEvictSeconds');
  readonly kvBlockReuseGapSeconds: Histogram = this.histogram('kvBlockReuseGapSeconds');
}
