/** A request's terminal record: every ending writes the same set of samples. */

import { LARGEST } from '../metric/handle.js';
import type { HistogramHandle } from '../metric/histogram.js';
import type { DiagnosticSource } from './diagnostics.js';
import type { FinishReason } from './engine-core.js';
import { finishedStats } from './finished-request.js';
import { readClock } from './frontend-clock.js';
import type { RequestState } from './request-state.js';

/** An interval in seconds, 0 and reported if it is negative or not finite. */
export function checkedInterval(state: RequestState, source: DiagnosticSource, seconds: number): number {
  if (seconds >= 0 && seconds <= LARGEST) return seconds;
  state.report(source, 'expected an interval of at least 0 s, took 0', seconds);
  return 0;
}

/** Seconds between two engine stamps; NaN if one is missing. */
function between(state: RequestState, source: DiagnosticSource, start: number, end: number): number {
  if (Number.isNaN(start) || Number.isNaN(end)) return Number.NaN;
  return checkedInterval(state, source, end - start);
}

/** A missing duration is 0, as upstream, or no sample. */
function observe(state: RequestState, histogram: HistogramHandle, seconds: number): void {
  if (!Number.isNaN(seconds)) histogram.observe(seconds);
  else if (!state.context.omitUnknown) histogram.observe(0);
}

function prefillKvComputed({ plan, prefill }: RequestState): number {
  if (prefill === undefined || !prefill.hasParts) return plan.numPromptTokens;
  return Math.max(0, plan.numPromptTokens - prefill.numCachedTokens);
}

function recordCounts(state: RequestState): void {
  const { plan, numGenerationTokens } = state;
  const { metrics } = state.slot;
  if (state.corrupted) metrics.corruptedRequests.inc();
  metrics.requestPromptTokens.observe(plan.numPromptTokens);
  metrics.requestGenerationTokens.observe(numGenerationTokens);
  metrics.requestNumPreemptions.observe(state.numPreemptions);
  metrics.requestPrefillKvComputedTokens.observe(prefillKvComputed(state));
  if (plan.maxTokens !== undefined) metrics.requestParamsMaxTokens.observe(plan.maxTokens);
  const longest =
    plan.parent === undefined ? numGenerationTokens : plan.parent.childEnded(numGenerationTokens);
  if (longest === undefined) return; // an earlier child of its parent, or one too many
  metrics.requestMaxNumGenerationTokens.observe(longest);
  metrics.requestParamsN.observe(plan.parent?.n ?? plan.n);
}

/**
 * Writes a request's terminal samples, and tells `finishedRequests` if somebody listens: nothing is allocated for it
 * while nobody does.
 * @see vllm/v1/metrics/stats.py `update_from_finished_request`; rust/src/metrics request tracker
 */
export function recordTerminal(state: RequestState, reason: FinishReason, lastTokenTs: number): void {
  const { queuedTs, scheduledTs, firstTokenTs, numGenerationTokens, context } = state;
  const { metrics } = state.slot;
  metrics.requestSuccess[reason].inc();
  recordCounts(state);
  const e2e = checkedInterval(
    state,
    'e2eRequestLatencySeconds',
    (readClock(context) - state.arrivalMs) / 1000,
  );
  const queued = between(state, 'requestQueueTimeSeconds', queuedTs, scheduledTs);
  const prefill = between(state, 'requestPrefillTimeSeconds', scheduledTs, firstTokenTs);
  const decode = between(state, 'requestDecodeTimeSeconds', firstTokenTs, lastTokenTs);
  const inference = between(state, 'requestInferenceTimeSeconds', scheduledTs, lastTokenTs);
  // NaN stays NaN: without a decode time there is no time per token either.
  const perToken = numGenerationTokens > 1 ? decode / (numGenerationTokens - 1) : decode * 0;
  metrics.e2eRequestLatencySeconds.observe(e2e);
  observe(state, metrics.requestQueueTimeSeconds, queued);
  observe(state, metrics.requestPrefillTimeSeconds, prefill);
  observe(state, metrics.requestDecodeTimeSeconds, decode);
  observe(state, metrics.requestInferenceTimeSeconds, inference);
  observe(state, metrics.requestTimePerOutputTokenSeconds, perToken);
  if (!context.finished.observed) return;
  context.finished.next(finishedStats(state, reason, { e2e, queued, prefill, decode, inference, perToken }));
}
