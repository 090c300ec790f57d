/** How long a request's parts took by the stamps of its engine: the terminal record's durations, in seconds. */

import { isRecordable } from '../../metric/handle.js';
import type { Histogram } from '../../metric/histogram.js';
import type { DiagnosticSource } from '../diagnostics.js';
import type { RequestState } from './request-state.js';
import { type EngineStamp, shareClock } from './stamp-clocks.js';

/** An interval in seconds, 0 and reported if it is negative or not finite. */
export function checkedInterval(state: RequestState, source: DiagnosticSource, seconds: number): number {
  if (isRecordable(seconds)) return seconds;
  state.report(source, 'expected an interval of at least 0 s, took 0', seconds);
  return 0;
}

/** Seconds as the stamps say, which may be out of order; NaN if an end is missing. */
export interface RequestDurations {
  readonly queued: number;
  readonly prefill: number;
  readonly decode: number;
  readonly inference: number;
}

export function durationsOf(state: RequestState, lastTokenTs: number): RequestDurations {
  const { queuedTs, scheduledTs, firstTokenTs } = state;
  // NaN between stamps of two clocks, of which each engine has its own.
  const between = (start: EngineStamp, from: number, end: EngineStamp, to: number) =>
    shareClock(state, start, end) ? to - from : Number.NaN;
  return {
    queued: between('queued', queuedTs, 'scheduled', scheduledTs),
    prefill: between('scheduled', scheduledTs, 'firstToken', firstTokenTs),
    // Work that ends without a token has nothing to decode, and that is known.
    decode: state.isPooled ? 0 : between('firstToken', firstTokenTs, 'lastToken', lastTokenTs),
    inference: between('scheduled', scheduledTs, 'lastToken', lastTokenTs),
  };
}

/** A missing duration is 0, as upstream, or no sample. */
function observe(state: RequestState, histogram: Histogram, seconds: number): void {
  if (!Number.isNaN(seconds)) histogram.observe(seconds);
  else if (!state.context.omitUnknown) histogram.observe(0);
}

/** NaN stays NaN: without a decode time there is no time per token either. */
function perToken({ numGenerationTokens }: RequestState, decode: number): number {
  return numGenerationTokens > 1 ? decode / (numGenerationTokens - 1) : decode * 0;
}

/** A duration that is missing stays so; one that is negative or not finite is 0 and reported. */
function checked(state: RequestState, source: DiagnosticSource, seconds: number): number {
  return Number.isNaN(seconds) ? seconds : checkedInterval(state, source, seconds);
}

/** Durations of which at least one is missing or odd. */
function recordOddDurations(state: RequestState, lastTokenTs: number): void {
  const { queued, prefill, decode, inference } = durationsOf(state, lastTokenTs);
  const { metrics } = state.engine;
  const decoded = checked(state, 'requestDecodeTimeSeconds', decode);
  observe(state, metrics.requestQueueTimeSeconds, checked(state, 'requestQueueTimeSeconds', queued));
  observe(state, metrics.requestPrefillTimeSeconds, checked(state, 'requestPrefillTimeSeconds', prefill));
  observe(state, metrics.requestDecodeTimeSeconds, decoded);
  observe(
    state,
    metrics.requestInferenceTimeSeconds,
    checked(state, 'requestInferenceTimeSeconds', inference),
  );
  observe(state, metrics.requestTimePerOutputTokenSeconds, perToken(state, decoded));
}

/** One gate for the usual request, whose stamps are all there and in order: in a call each figure would be boxed. */
export function recordDurations(state: RequestState, lastTokenTs: number): void {
  const { scheduledTs, firstTokenTs } = state;
  const queued = scheduledTs - state.queuedTs;
  const prefill = firstTokenTs - scheduledTs;
  const decode = lastTokenTs - firstTokenTs;
  const inference = lastTokenTs - scheduledTs;
  const inOrder = isRecordable(queued) && prefill >= 0 && decode >= 0 && isRecordable(inference);
  if (!inOrder || state.clocks !== undefined) {
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
