/** A request's terminal record: every ending writes the same set of samples. */

import type { FinishReason } from '../../engine-core/engine-core-event.js';
import { finishedStats } from './finished-request.js';
import { readClock } from './frontend-clock.js';
import { checkedInterval, recordDurations } from './request-durations.js';
import type { RequestState } from './request-state.js';

/**
 * Counts the prompt by its prefill record, whose counts were checked: with the first token, or with the terminal record
 * if no token ever came.
 */
export function countPrompt({ engine, prefill }: RequestState): void {
  if (prefill === undefined) return;
  const { promptTokens, promptTokensCached, promptTokensBySource } = engine.metrics;
  promptTokens.add(prefill.numPromptTokens);
  promptTokensCached.add(prefill.numCachedTokens);
  promptTokensBySource.localCompute.add(prefill.numComputedTokens);
  promptTokensBySource.localCacheHit.add(prefill.numLocalCachedTokens);
  promptTokensBySource.externalKvTransfer.add(prefill.numExternalCachedTokens);
}

/** The prompt less what was cached of it. A request given up while queued computed nothing that is known. */
function recordPrefillKv(state: RequestState): void {
  const { prefill, context, engine, wasScheduled } = state;
  if (prefill === undefined && !wasScheduled && context.omitUnknown) return;
  const computed = Math.max(0, state.numPromptTokens - (prefill?.numCachedTokens ?? 0));
  engine.metrics.requestPrefillKvComputedTokens.add(computed);
}

/** Figures of the plan and of the state, which were checked as they came. */
function recordCounts(state: RequestState): void {
  const { plan, numGenerationTokens } = state;
  const { metrics } = state.engine;
  if (state.corrupted) metrics.corruptedRequests.inc();
  metrics.requestPromptTokens.add(state.numPromptTokens);
  metrics.requestGenerationTokens.add(numGenerationTokens);
  metrics.requestNumPreemptions.add(state.numPreemptions);
  recordPrefillKv(state);
  if (plan.maxTokens !== undefined) metrics.requestParamsMaxTokens.add(plan.maxTokens);
  if (plan.parent !== undefined) {
    plan.parent.childEnded(numGenerationTokens, metrics);
    return;
  }
  metrics.requestMaxNumGenerationTokens.add(numGenerationTokens);
  metrics.requestParamsN.add(plan.n);
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
  if (state.prefilling) countPrompt(state);
  recordCounts(state);
  const seconds = (readClock(context) - state.arrivalMs) / 1000;
  const e2e = checkedInterval(state, 'e2eRequestLatencySeconds', seconds);
  metrics.e2eRequestLatencySeconds.add(e2e);
  recordDurations(state, lastTokenTs);
  if (context.tokenCounts !== undefined && state.numGenerationTokens > 0) {
    context.tokenCounts[state.told?.tokenSource ?? 'token_ids'].inc();
  }
  if (context.finished.observed) context.finished.next(finishedStats(state, reason, e2e, lastTokenTs));
}
