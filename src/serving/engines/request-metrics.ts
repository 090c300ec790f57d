import type { FinishReason } from '../../engine-core/engine-core-event.js';
import type { CounterHandle } from '../../metric/counter.js';
import type { GaugeHandle } from '../../metric/gauge.js';
import type { HistogramHandle } from '../../metric/histogram.js';
import { EngineSeries } from './engine-series.js';

/** Where a prompt's tokens came from. */
export interface PromptTokensBySource {
  readonly localCompute: CounterHandle;
  readonly localCacheHit: CounterHandle;
  readonly externalKvTransfer: CounterHandle;
}

/** One engine's handles for what the lives of its requests record. */
export abstract class RequestMetrics extends EngineSeries {
  readonly numPreemptions: CounterHandle = this.counter('numPreemptions');
  readonly promptTokens: CounterHandle = this.counter('promptTokens');
  readonly promptTokensBySource: PromptTokensBySource = {
    localCompute: this.counter('promptTokensBySource', 'local_compute'),
    localCacheHit: this.counter('promptTokensBySource', 'local_cache_hit'),
    externalKvTransfer: this.counter('promptTokensBySource', 'external_kv_transfer'),
  };
  readonly promptTokensCached: CounterHandle = this.counter('promptTokensCached');
  readonly generationTokens: CounterHandle = this.counter('generationTokens');
  readonly requestSuccess: Readonly<Record<FinishReason, CounterHandle>> = {
    stop: this.counter('requestSuccess', 'stop'),
    length: this.counter('requestSuccess', 'length'),
    abort: this.counter('requestSuccess', 'abort'),
    error: this.counter('requestSuccess', 'error'),
    repetition: this.counter('requestSuccess', 'repetition'),
  };
  readonly corruptedRequests: CounterHandle = this.counter('corruptedRequests');
  readonly requestPromptTokens: HistogramHandle = this.histogram('requestPromptTokens');
  readonly requestGenerationTokens: HistogramHandle = this.histogram('requestGenerationTokens');
  readonly requestMaxNumGenerationTokens: HistogramHandle = this.histogram('requestMaxNumGenerationTokens');
  readonly requestParamsMaxTokens: HistogramHandle = this.histogram('requestParamsMaxTokens');
  readonly requestParamsN: HistogramHandle = this.histogram('requestParamsN');
  readonly requestNumPreemptions: HistogramHandle = this.histogram('requestNumPreemptions');
  readonly requestPrefillKvComputedTokens: HistogramHandle = this.histogram('requestPrefillKvComputedTokens');
  readonly timeToFirstTokenSeconds: HistogramHandle = this.histogram('timeToFirstTokenSeconds');
  readonly interTokenLatencySeconds: HistogramHandle = this.histogram('interTokenLatencySeconds');
  readonly requestTimePerOutputTokenSeconds: HistogramHandle = this.histogram(
    'requestTimePerOutputTokenSeconds',
  );
  readonly e2eRequestLatencySeconds: HistogramHandle = this.histogram('e2eRequestLatencySeconds');
  readonly requestQueueTimeSeconds: HistogramHandle = this.histogram('requestQueueTimeSeconds');
  readonly requestPrefillTimeSeconds: HistogramHandle = this.histogram('requestPrefillTimeSeconds');
  readonly requestDecodeTimeSeconds: HistogramHandle = this.histogram('requestDecodeTimeSeconds');
  readonly requestInferenceTimeSeconds: HistogramHandle = this.histogram('requestInferenceTimeSeconds');
  readonly requestsInFlight: GaugeHandle = this.inFlight();
}
