/** What was odd in an engine's or a caller's figures: reported and counted, never thrown. */
import type { Counter } from '../metric/counter.js';

/**
 * Where an odd value came in, as the label `source` of `rx_engine_metrics_invalid_values_total`: the camelCase field
 * or argument, with its struct in front where the field occurs in several; for an interval its histogram.
 */
export type DiagnosticSource =
  | 'answer'
  | 'arrivalTimeMs'
  | 'bytesTransferred'
  | 'cacheConfig'
  | 'choice'
  | 'choices'
  | 'connectorPrefixCacheStats'
  | 'connectorPrefixCacheStats.hits'
  | 'connectorPrefixCacheStats.hitsBySource'
  | 'connectorPrefixCacheStats.queries'
  | 'durationSeconds'
  | 'e2eRequestLatencySeconds'
  | 'engineIndex'
  | 'events'
  | 'events.data'
  | 'events.timestamp'
  | 'finishReason'
  | 'idleSeconds'
  | 'interTokenLatencySeconds'
  | 'kvCacheEvictionEvents'
  | 'kvCacheUsage'
  | 'kvConnectorStats'
  | 'lifetimeSeconds'
  | 'loraName'
  | 'maxTokens'
  | 'mmCacheStats'
  | 'mmCacheStats.hits'
  | 'mmCacheStats.queries'
  | 'modelName'
  | 'n'
  | 'newTokenIds'
  | 'numAcceptedTokens'
  | 'numAcceptedTokensPerPos'
  | 'numBytes'
  | 'numCachedTokens'
  | 'numComputedTokens'
  | 'numDescriptors'
  | 'numDrafts'
  | 'numDraftTokens'
  | 'numExternalCachedTokens'
  | 'numFailedKeys'
  | 'numFailedNotifications'
  | 'numFailedTransfers'
  | 'numFlopsPerGpu'
  | 'numKeys'
  | 'numKvExpiredReqs'
  | 'numKvFetchReqsByStage'
  | 'numLocalCachedTokens'
  | 'numNansInLogits'
  | 'numNotificationsAfterExpiry'
  | 'numPromptTokens'
  | 'numReadBytesPerGpu'
  | 'numRunningReqs'
  | 'numSkippedWaitingReqs'
  | 'numSpecTokens'
  | 'numWaitingReqs'
  | 'numWriteBytesPerGpu'
  | 'operation'
  | 'outputs'
  | 'parent'
  | 'perfStats'
  | 'postDuration'
  | 'prefillStats'
  | 'prefixCacheStats'
  | 'prefixCacheStats.hits'
  | 'prefixCacheStats.queries'
  | 'profile'
  | 'reason'
  | 'recording'
  | 'requestDecodeTimeSeconds'
  | 'requestId'
  | 'requestInferenceTimeSeconds'
  | 'requestPrefillTimeSeconds'
  | 'requestQueueTimeSeconds'
  | 'reuseGapsSeconds'
  | 'schedulerStats'
  | 'sleepState'
  | 'specDecodingStats'
  | 'status'
  | 'timeToFirstTokenSeconds'
  | 'tokens'
  | 'transferDuration'
  | 'type'
  | 'unsubscribeReason'
  | 'usage'
  | 'usage.cachedTokens'
  | 'usage.completionTokens'
  | 'usage.promptTokens';

/** One odd value. */
export interface MetricsDiagnostic {
  readonly source: DiagnosticSource;
  /** What was expected, and what was recorded instead. */
  readonly message: string;
  /** The value as it came. */
  readonly value: unknown;
  readonly engineIndex?: number;
  readonly requestId?: string;
}

/** Something odd values can be reported to: an object rather than a closure, which each request would allocate. */
export interface Reporter {
  report(source: DiagnosticSource, message: string, value: unknown): void;
}

/** Whose value it was. */
export interface DiagnosticSubject {
  readonly engineIndex?: number | undefined;
  readonly requestId?: string | undefined;
}

/** Counts diagnostics by source and hands them to the host. */
export class Diagnostics {
  readonly #counters = new Map<DiagnosticSource, Counter>();
  readonly #counterOf: (source: DiagnosticSource) => Counter;
  readonly #onDiagnostic: ((diagnostic: MetricsDiagnostic) => void) | undefined;
  #closed = false;

  constructor(
    counterOf: (source: DiagnosticSource) => Counter,
    onDiagnostic: ((diagnostic: MetricsDiagnostic) => void) | undefined,
  ) {
    this.#counterOf = counterOf;
    this.#onDiagnostic = onDiagnostic;
  }

  /** Never throws, whatever the host's callback does. */
  report(source: DiagnosticSource, message: string, value: unknown, subject: DiagnosticSubject = {}): void {
    if (this.#closed) return;
    let counter = this.#counters.get(source);
    if (counter === undefined) {
      counter = this.#counterOf(source);
      this.#counters.set(source, counter);
    }
    counter.inc();
    if (this.#onDiagnostic === undefined) return;
    const { engineIndex, requestId } = subject;
    try {
      const answer: unknown = this.#onDiagnostic({
        source,
        message,
        value,
        ...(engineIndex !== undefined && { engineIndex }),
        ...(requestId !== undefined && { requestId }),
      });
      if (answer !== undefined) Promise.resolve(answer).catch(() => {}); // an async callback throws by rejecting
    } catch {
      // A diagnostic must not do what the value it reports could not: disturb the stream.
    }
  }

  /** From now on nothing is reported: the instance was disposed. */
  close(): void {
    this.#closed = true;
  }
}
