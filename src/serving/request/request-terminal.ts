/** A request's terminal record: every ending writes the same set of samples. */

import type { FinishReason } from '../../engine-core/engine-core-event.js';
import { isRecordable } from '../../metric/handle.js';
import type { Histogram } from '../../metric/histogram.js';
import type { DiagnosticSource } from '../diagnostics.js';
import { finishedStats } from './finished-request.js';
import { readClock } from './frontend-clock.js';
import type { RequestState } from './request-state.js';

/** An interval in seconds, 0 and reported if it is negative or not finite. */
export function checkedInterval(state: RequestState, source: DiagnosticSource, seconds: number): number {
  if (isRecordable(seconds)) return seconds;
  state.report(source, 'expected an interval of at least 0 s, took 0', seconds);
  return 0;
}

/** Seconds between two engine stamps; NaN if one is missing. */
function between(state: RequestState, source: DiagnosticSource, start: number, end: number): number {
  if (Number.isNaN(start) || Number.isNaN(end)) return Number.NaN;
  return checkedInterval(state, source, end - start);
}

/** A missing duration is 0, as upstream, or no sample. */
function observe(state: RequestState, histogram: Histogram, seconds: number): void {
  if (!Number.isNaN(seconds)) histogram.observe(seconds);
  else if (!state.context.omitUnknown) histogram.observe(0);
}

/** The prompt less what was cached of it; the prompt if nothing is known of that. */
function prefillKvComputed({ plan, prefill }: RequestState): number {
  return Math.max(0, plan.numPromptTokens - (prefill?.numCachedTokens ?? 0));
}

/** Figures of the plan and of the state, which were checked as they came. */
function recordCounts(state: RequestState): void {
  const { plan, numGenerationTokens } = state;
  const { metrics } = state.engine;
  if (state.corrupted) metrics.corruptedRequests.inc();
  metrics.requestPromptTokens.add(plan.numPromptTokens);
  metrics.requestGenerationTokens.add(numGenerationTokens);
  metrics.requestNumPreemptions.add(state.numPreemptions);
  metrics.requestPrefillKvComputedTokens.add(prefillKvComputed(state));
  if (plan.maxTokens !== undefined) metrics.requestParamsMaxTokens.add(plan.maxTokens);
  const longest =
    plan.parent === undefined ? numGenerationTokens : plan.parent.childEnded(numGenerationTokens);
  if (longest === undefined) return; // an earlier child of its parent, or one too many
  metrics.requestMaxNumGenerationTokens.observe(longest);
  metrics.requestParamsN.observe(plan.parent?.n ?? plan.n);
}

/** NaN stays NaN: without a decode time there is no time per token either. */
function perToken({ numGenerationTokens }: RequestState, decode: number): number {
  return numGenerationTokens > 1 ? decode / (numGenerationTokens - 1) : decode * 0;
}

/** Durations of which at least one is missing or odd. */
function recordOddDurations(state: RequestState, lastTokenTs: number): void {
  const { queuedTs, scheduledTs, firstTokenTs } = state;
  const { metrics } = state.engine;
  const decode = between(state, 'requestDecodeTimeSeconds', firstTokenTs, lastTokenTs);
  const queued = between(state, 'requestQueueTimeSeconds', queuedTs, scheduledTs);
  const prefill = between(state, 'requestPrefillTimeSeconds', scheduledTs, firstTokenTs);
  const inference = between(state, 'requestInferenceTimeSeconds', scheduledTs, lastTokenTs);
  observe(state, metrics.requestQueueTimeSeconds, queued);
  observe(state, metrics.requestPrefillTimeSeconds, prefill);
  observe(state, metrics.requestDecodeTimeSeconds, decode);
  observe(state, metrics.requestInferenceTimeSeconds, inference);
  observe(state, metrics.requestTimePerOutputTokenSeconds, perToken(state, decode));
}

/** One gate for the usual request, whose stamps are all there and in order: behind calls each figure is boxed. */
function recordDurations(state: RequestState, lastTokenTs: number): void {
  const { scheduledTs, firstTokenTs } = state;
  const queued = scheduledTs - state.queuedTs;
  const prefill = firstTokenTs - scheduledTs;
  const decode = lastTokenTs - firstTokenTs;
  const inference = lastTokenTs - scheduledTs;
  if (!(isRecordable(queued) && prefill >= 0 && decode >= 0 && isRecordable(inference))) {
    recordOddDurations(state, lastTokenTs);
    return;
  }
  const { metrics } = state.engine;
  metrics.requestQueueTimeSeconds.add(queued);
  metrics.requestPrefillTimeSeconds.add(prefill);
  metrics.requestDecodeTimeSeconds.add(decode);
  metrics.requestInferenceTimeSeconds.add(inference);
  metrics.requestTimePerOutputTokenSeconds.add(perToken(state, decode));
}

/**
 * Writes a request's terminal samples, and tells `finishedRequests` if somebody listens: nothing is allocated for it
 * while nobody does.
 * @see vllm/v1/metrics/stats.py `update_from_finished_request`; rust/src/metrics request tracker
 */
export function recordTerminal(state: RequestState, reason: FinishReason, lastTokenTs: number): void {
  const { context } = state;
  const { metrics } = state.engine;
  metrics.requestSuccess[reason].inc();
  recordCounts(state);
  const seconds = (readClock(context) - state.arrivalMs) / 1000;
  const e2e = checkedInterval(state, 'e2eRequestLatencySeconds', seconds);
  metrics.e2eRequestLatencySeconds.add(e2e);
  recordDurations(state, lastTokenTs);
  if (context.finished.observed) context.finished.next(finishedStats(state, reason, e2e, lastTokenTs));
}
