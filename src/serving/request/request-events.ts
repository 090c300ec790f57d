/** What an engine's events say of a request, in their order. */
import type { RequestState } from './request-state.js';

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
      state.slot.metrics.numPreemptions.inc();
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
