/**
 * The frontend's clock, in ms: the host's, or the monotonic one below a millisecond. Read at a request's
 * subscription, first token and end only; the engine's own stamps do the rest.
 */

import type { Reporter } from '../diagnostics.js';
import type { RecordingContext } from '../recording-context.js';

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
 * a sample negative or huge. A time in the future counts as now.
 */
export function arrivalOf(
  context: RecordingContext,
  arrivalTimeMs: number | undefined,
  reporter: Reporter,
): number {
  const now = readClock(context);
  if (arrivalTimeMs === undefined) return now;
  const sinceArrival = (context.isDefaultClock ? Date.now() : now) - arrivalTimeMs;
  if (sinceArrival < 0)
    reporter.report('arrivalTimeMs', 'expected a time that has passed, took now', arrivalTimeMs);
  if (!(sinceArrival >= 0)) return now;
  // With the host's clock the caller's own figure, which a round trip through the difference could change.
  return context.isDefaultClock ? now - sinceArrival : arrivalTimeMs;
}
