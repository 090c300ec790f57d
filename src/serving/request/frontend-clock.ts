/**
 * The frontend's clock, in ms: the host's, or the monotonic one below a millisecond. Read at a request's
 * subscription, first token and end only; the engine's own stamps do the rest.
 */

import type { Reporter } from '../diagnostics.js';
import type { RecordingContext } from '../recording-context.js';

const LONGEST_AGO_MS = 86_400_000;

/** NaN if the clock is broken: whoever subtracts it reports the interval. */
export function readClock({ clock }: RecordingContext): number {
  try {
    const now: unknown = clock.now();
    return typeof now === 'number' ? now : Number.NaN;
  } catch {
    return Number.NaN;
  }
}

/**
 * When a request arrived, in the clock's ms. With the default clock an arrival time of the caller is compared with
 * the wall clock once, here, and from then on only the monotonic clock counts: a step of the wall clock cannot make
 * a sample negative or huge. A time in the future counts as now, and with the default clock so does one more than a day
 * ago: seconds, or `performance.now()`, where epoch ms are expected.
 */
export function arrivalOf(
  context: RecordingContext,
  arrivalTimeMs: number | undefined,
  reporter: Reporter,
): number {
  const now = readClock(context);
  if (arrivalTimeMs === undefined) return now;
  const sinceArrival = (context.isDefaultClock ? Date.now() : now) - arrivalTimeMs;
  if (Number.isNaN(sinceArrival)) return now; // the clock is broken: whoever subtracts it reports the interval
  if (sinceArrival < 0 || (context.isDefaultClock && sinceArrival > LONGEST_AGO_MS)) {
    const expected = context.isDefaultClock ? 'epoch ms of the last 24 hours' : 'a time that has passed';
    reporter.report('arrivalTimeMs', `expected ${expected}, took now`, arrivalTimeMs);
    return now;
  }
  // With the host's clock the caller's own figure, which a round trip through the difference could change.
  return context.isDefaultClock ? now - sinceArrival : arrivalTimeMs;
}
