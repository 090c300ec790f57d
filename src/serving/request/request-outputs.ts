/** What one output says of a request, outside the fast path: its tokens, prefill stats and events, in their order. */

import type { PrefillStats } from '../../engine-core/engine-core-outputs.js';
import { isRecordable } from '../../metric/handle.js';
import { tokenCount } from '../token-count.js';
import { readClock } from './frontend-clock.js';
import { computedPrefill, readPrefill } from './prefill.js';
import type { RequestState } from './request-state.js';
import { checkedInterval } from './request-terminal.js';

/** How many tokens an output brings; a typed array of ids is taken too. */
export function countTokens(state: RequestState, newTokenIds: unknown): number {
  const count = tokenCount(newTokenIds);
  if (count >= 0) return count;
  state.report('newTokenIds', 'expected an array, counted no token', newTokenIds);
  return 0;
}

/** Remembers that logits had NaNs: the request counts as corrupted once, with its end. */
export function watchNans(state: RequestState, numNansInLogits: unknown): void {
  if (numNansInLogits === undefined || numNansInLogits === null || numNansInLogits === 0) return;
  if (isRecordable(numNansInLogits)) state.corrupted = true;
  else state.report('numNansInLogits', 'expected a count, took 0', numNansInLogits);
}

/** Keeps the first prefill stats, also from an output without tokens (upstream's Rust loses those). */
export function keepPrefill(state: RequestState, prefillStats: unknown): void {
  if (state.prefill !== undefined) return;
  if (typeof prefillStats !== 'object') {
    state.report('prefillStats', 'expected an object, ignored it', prefillStats);
    return;
  }
  state.prefill = readPrefill(prefillStats as PrefillStats, state.plan.numPromptTokens, state);
}

/** Counts the prompt with the first token: by the prefill stats kept, else as computed here. */
function countPrompt(state: RequestState): void {
  state.prefill ??= computedPrefill(state.plan.numPromptTokens);
  const { promptTokens, promptTokensCached, promptTokensBySource } = state.engine.metrics;
  const { prefill } = state;
  // A prefill record holds counts that were checked.
  promptTokens.add(prefill.numPromptTokens);
  promptTokensCached.add(prefill.numCachedTokens);
  promptTokensBySource.localCompute.add(prefill.numComputedTokens);
  promptTokensBySource.localCacheHit.add(prefill.numLocalCachedTokens);
  promptTokensBySource.externalKvTransfer.add(prefill.numExternalCachedTokens);
}

function stampFirst(state: RequestState, timestamp: number): void {
  state.prefilling = false;
  countPrompt(state);
  const seconds = (readClock(state.context) - state.arrivalMs) / 1000;
  state.timeToFirstToken = checkedInterval(state, 'timeToFirstTokenSeconds', seconds);
  state.engine.metrics.timeToFirstTokenSeconds.observe(state.timeToFirstToken);
  state.firstTokenTs = timestamp;
  state.lastTokenTs = timestamp;
}

/**
 * Stamps an output with tokens. Without a usable timestamp no stamp moves and the inter-token latency is one sample
 * of 0, so that its count stays outputs minus first tokens; one that goes back is a 0 and becomes the last stamp.
 */
export function stampTokens(state: RequestState, timestamp: unknown): void {
  const usable = typeof timestamp === 'number' && Number.isFinite(timestamp);
  if (!usable)
    state.report('interTokenLatencySeconds', 'expected a timestamp in seconds, took 0 s', timestamp);
  if (state.prefilling) {
    stampFirst(state, usable ? timestamp : Number.NaN);
    return;
  }
  const elapsed = usable && !Number.isNaN(state.lastTokenTs) ? timestamp - state.lastTokenTs : 0;
  state.engine.metrics.interTokenLatencySeconds.observe(
    checkedInterval(state, 'interTokenLatencySeconds', elapsed),
  );
  if (usable) state.lastTokenTs = timestamp;
}

/** A usable engine time in seconds, 0 included; NaN otherwise, reported if it was there. */
function eventTime(state: RequestState, timestamp: unknown): number {
  if (typeof timestamp === 'number' && Number.isFinite(timestamp)) return timestamp;
  if (timestamp !== undefined && timestamp !== null) {
    state.report('events.timestamp', 'expected seconds, took it as missing', timestamp);
  }
  return Number.NaN;
}

function applyEvent(state: RequestState, type: unknown, timestamp: unknown): void {
  switch (type) {
    case 'queued':
      // The last one before the first SCHEDULED counts, whatever its own time.
      if (!state.wasScheduled) state.queuedTs = eventTime(state, timestamp);
      return;
    case 'scheduled':
      if (!state.wasScheduled) state.scheduledTs = eventTime(state, timestamp);
      state.wasScheduled = true;
      state.moveLora('running');
      return;
    case 'preempted':
      state.numPreemptions++;
      state.engine.metrics.numPreemptions.inc();
      state.moveLora('waiting');
      return;
    default:
      state.report('type', 'expected queued, scheduled or preempted, ignored it', type);
  }
}

/**
 * Applies the events of one output.
 * @see vllm/v1/metrics/stats.py `update_from_events`; rust/src/metrics request tracker
 */
export function applyEvents(state: RequestState, events: unknown): void {
  if (!Array.isArray(events)) {
    state.report('events', 'expected an array, ignored it', events);
    return;
  }
  for (let i = 0; i < events.length; i++) {
    const event: unknown = events[i];
    if (typeof event === 'object' && event !== null) {
      const { type, timestamp } = event as { type?: unknown; timestamp?: unknown };
      applyEvent(state, type, timestamp);
    } else state.report('events', 'expected an event, ignored it', event);
  }
}
