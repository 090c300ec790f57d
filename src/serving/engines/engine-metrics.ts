import type { CounterHandle } from '../../metric/counter.js';
import type { GaugeHandle } from '../../metric/gauge.js';
import type { HistogramHandle } from '../../metric/histogram.js';
import { RequestMetrics } from './request-metrics.js';

/** Requests that wait, by why. */
export interface WaitingByReason {
  readonly capacity: GaugeHandle;
  readonly deferred: GaugeHandle;
}

/** Exactly one of them is 1. */
export interface SleepStates {
  readonly awake: GaugeHandle;
  readonly weightsOffloaded: GaugeHandle;
  readonly discardAll: GaugeHandle;
}

/** Cached prompt tokens by cache tier. */
export interface CachedTokensBySource {
  readonly device: CounterHandle;
  readonly host: CounterHandle;
  readonly p2p: CounterHandle;
  readonly disk: CounterHandle;
  readonly externalUnspecified: CounterHandle;
}

/**
 * One engine's handles, resolved once: recording through a field looks no label up. Fields are named as the families,
 * without prefix and `_total`, in camelCase; a family with one more label is a struct by that label's value.
 */
export class EngineMetrics extends RequestMetrics {
  readonly numRequestsRunning: GaugeHandle = this.gauge('numRequestsRunning');
  readonly numRequestsWaiting: GaugeHandle = this.gauge('numRequestsWaiting');
  readonly numRequestsWaitingByReason: WaitingByReason = {
    capacity: this.gauge('numRequestsWaitingByReason', 'capacity'),
    deferred: this.gauge('numRequestsWaitingByReason', 'deferred'),
  };
  readonly kvCacheUsagePerc: GaugeHandle = this.gauge('kvCacheUsagePerc');
  readonly engineSleepState: SleepStates = {
    awake: this.gauge('engineSleepState', 'awake'),
    weightsOffloaded: this.gauge('engineSleepState', 'weights_offloaded'),
    discardAll: this.gauge('engineSleepState', 'discard_all'),
  };
  readonly prefixCacheQueries: CounterHandle = this.counter('prefixCacheQueries');
  readonly prefixCacheHits: CounterHandle = this.counter('prefixCacheHits');
  readonly externalPrefixCacheQueries: CounterHandle = this.counter('externalPrefixCacheQueries');
  readonly externalPrefixCacheHits: CounterHandle = this.counter('externalPrefixCacheHits');
  readonly promptTokensCachedBySource: CachedTokensBySource = {
    device: this.counter('promptTokensCachedBySource', 'device'),
    host: this.counter('promptTokensCachedBySource', 'host'),
    p2p: this.counter('promptTokensCachedBySource', 'p2p'),
    disk: this.counter('promptTokensCachedBySource', 'disk'),
    externalUnspecified: this.counter('promptTokensCachedBySource', 'external_unspecified'),
  };
  readonly mmCacheQueries: CounterHandle = this.counter('mmCacheQueries');
  readonly mmCacheHits: CounterHandle = this.counter('mmCacheHits');
  readonly iterationTokens: HistogramHandle = this.histogram('iterationTokens');
  readonly specDecodeNumDrafts: CounterHandle = this.counter('specDecodeNumDrafts');
  readonly specDecodeNumDraftTokens: CounterHandle = this.counter('specDecodeNumDraftTokens');
  readonly specDecodeNumAcceptedTokens: CounterHandle = this.counter('specDecodeNumAcceptedTokens');
  /** By position in the draft; a position comes with its first use. */
  readonly specDecodeNumAcceptedTokensPerPos: CounterHandle[] = [];
  readonly estimatedFlopsPerGpu: CounterHandle = this.counter('estimatedFlopsPerGpu');
  readonly estimatedReadBytesPerGpu: CounterHandle = this.counter('estimatedReadBytesPerGpu');
  readonly estimatedWriteBytesPerGpu: CounterHandle = this.counter('estimatedWriteBytesPerGpu');
  readonly kvBlockLifetimeSeconds: HistogramHandle = this.histogram('kvBlockLifetimeSeconds');
  readonly kvBlockIdleBeforeEvictSeconds: HistogramHandle = this.histogram('kvBlockIdleBeforeEvictSeconds');
  readonly kvBlockReuseGapSeconds: HistogramHandle = this.histogram('kvBlockReuseGapSeconds');
}
