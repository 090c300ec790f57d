/** What one output's tokens and prefill stats say of a request, outside the fast path. */

import type { PrefillStats } from '../../engine-core/engine-core-outputs.js';
import { LARGEST } from '../../metric/handle.js';
import { readClock } from './frontend-clock.js';
import { computedPrefill, readPrefill } from './prefill.js';
import type { RequestState } from './request-state.js';
import { checkedInterval } from './request-terminal.js';
import { tokenCount } from './token-count.js';

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
  if (typeof numNansInLogits === 'number' && numNansInLogits > 0 && numNansInLogits <= LARGEST)
    state.corrupted = true;
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
  const { promptTokens, promptTokensCached, promptTokensBySource } = state.slot.metrics;
  const { prefill } = state;
  // A prefill record holds counts that were checked.
  promptTokens.cells[0]! += prefill.numPromptTokens;
  promptTokensCached.cells[0]! += prefill.numCachedTokens;
  promptTokensBySource.localCompute.cells[0]! += prefill.numComputedTokens;
  promptTokensBySource.localCacheHit.cells[0]! += prefill.numLocalCachedTokens;
  promptTokensBySource.externalKvTransfer.cells[0]! += prefill.numExternalCachedTokens;
}

function stampFirst(state: RequestState, timestamp: number): void {
  state.prefilling = false;
  countPrompt(state);
  const seconds = (readClock(state.context) - state.arrivalMs) / 1000;
  state.timeToFirstToken = checkedInterval(state, 'timeToFirstTokenSeconds', seconds);
  state.slot.metrics.timeToFirstTokenSeconds.observe(state.timeToFirstToken);
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
  state.slot.metrics.interTokenLatencySeconds.observe(
    checkedInterval(state, 'interTokenLatencySeconds', elapsed),
  );
  if (usable) state.lastTokenTs = timestamp;
}
