/** What one output says of a request, outside the fast path: its tokens, prefill stats and events, in their order. */

import type { EngineCoreOutput, PrefillStats } from '../../engine-core/engine-core-outputs.js';
import { isRecordable } from '../../metric/handle.js';
import { EVENT_NAMES, OUTPUT_NAMES, watchNames } from '../known-names.js';
import { plainNumber } from '../plain-number.js';
import { tokenCount } from '../token-count.js';
import { readClock } from './frontend-clock.js';
import { computedPrefill, readPrefill } from './prefill.js';
import { checkedInterval } from './request-durations.js';
import type { RequestState } from './request-state.js';
import { countPrompt } from './request-terminal.js';
import { changeClock, currentClock, lastTokenIsCurrent, noteClock } from './stamp-clocks.js';

/** The engine that an output is of; one that does not say is of the request's. */
function engineOf(state: RequestState, engineIndex: unknown): number {
  if (engineIndex === undefined || engineIndex === null) return state.plan.engineIndex;
  const index = plainNumber(engineIndex);
  if (Number.isSafeInteger(index) && (index as number) >= 0) return index as number;
  state.report('engineIndex', "expected a whole number of at least 0, took the request's", engineIndex);
  return state.plan.engineIndex;
}

/** Goes by the clock of the engine that sent an output; a change makes the intervals across it unknown. */
export function followClock(state: RequestState, engineIndex: unknown): void {
  const engine = engineOf(state, engineIndex);
  const current = currentClock(state);
  if (engine === current) return;
  const message = `expected engine ${current}, took no interval between its clock and the other's`;
  state.report('engineIndex', message, engine);
  changeClock(state, engine);
  state.fastClock = -1;
}

/** How many tokens an output brings; a typed array of ids is taken too. */
export function countTokens(state: RequestState, output: EngineCoreOutput): number {
  const { newTokenIds } = output;
  const count = tokenCount(newTokenIds);
  if (newTokenIds === undefined || newTokenIds === null) {
    if (watchNames(state, 'outputs', OUTPUT_NAMES, output)) return 0;
  } else if (count >= 0) return count;
  state.report('newTokenIds', 'expected an array, counted no token', newTokenIds);
  return 0;
}

/** Remembers that logits had NaNs: the request counts as corrupted once, with its end. */
export function watchNans(state: RequestState, numNansInLogits: unknown): void {
  const count = plainNumber(numNansInLogits);
  if (isRecordable(count)) state.corrupted ||= count > 0;
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

function stampFirst(state: RequestState, timestamp: number): void {
  state.prefilling = false;
  state.prefill ??= computedPrefill(state.numPromptTokens); // without prefill stats all of it was computed here
  countPrompt(state);
  const seconds = (readClock(state.context) - state.arrivalMs) / 1000;
  state.timeToFirstToken = checkedInterval(state, 'timeToFirstTokenSeconds', seconds);
  state.engine.metrics.timeToFirstTokenSeconds.observe(state.timeToFirstToken);
  state.firstTokenTs = timestamp;
  noteClock(state, 'firstToken');
  state.lastTokenTs = timestamp;
  noteClock(state, 'lastToken');
}

/**
 * The final output of work that never had a token. If it had prefill stats, prefill and inference end here,
 * and there is nothing to decode. Without a usable timestamp they have no end.
 */
export function endPrefill(state: RequestState, timestamp: unknown): void {
  if (state.prefill === undefined) return;
  state.isPooled = true;
  if (typeof timestamp !== 'number' || !Number.isFinite(timestamp)) {
    state.report(
      'requestPrefillTimeSeconds',
      'expected a timestamp in seconds, took it as missing',
      timestamp,
    );
    return;
  }
  state.firstTokenTs = timestamp;
  noteClock(state, 'firstToken');
  state.lastTokenTs = timestamp;
  noteClock(state, 'lastToken');
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
  const known = usable && !Number.isNaN(state.lastTokenTs) && lastTokenIsCurrent(state);
  const elapsed = known ? timestamp - state.lastTokenTs : 0;
  state.engine.metrics.interTokenLatencySeconds.add(
    checkedInterval(state, 'interTokenLatencySeconds', elapsed),
  );
  if (!usable) return;
  state.lastTokenTs = timestamp;
  noteClock(state, 'lastToken');
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
      if (state.wasScheduled) return;
      state.queuedTs = eventTime(state, timestamp);
      noteClock(state, 'queued');
      return;
    case 'scheduled':
      if (!state.wasScheduled) {
        state.scheduledTs = eventTime(state, timestamp);
        noteClock(state, 'scheduled');
      }
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
    if (typeof event !== 'object' || event === null) {
      state.report('events', 'expected an event, ignored it', event);
      continue;
    }
    const { type, timestamp } = event as { type?: unknown; timestamp?: unknown };
    // Without a type it says nothing if it is empty, and a wrong name if it has others.
    if (type !== undefined || timestamp !== undefined) applyEvent(state, type, timestamp);
    else watchNames(state, 'events', EVENT_NAMES, event);
  }
}
