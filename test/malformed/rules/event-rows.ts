/** Events and what they come to. */
import type { Expected } from './serve.js';

interface Event {
  readonly type: string;
  readonly timestamp: unknown;
}

export const queued = (timestamp?: unknown): Event => ({ type: 'queued', timestamp });
const scheduled = (timestamp?: unknown): Event => ({ type: 'scheduled', timestamp });
const preempted = (timestamp?: unknown): Event => ({ type: 'preempted', timestamp });

/** The first output comes at 10 s of the engine's clock, the second at 12 s. */
type Row = readonly [
  name: string,
  first: unknown,
  second: unknown,
  expected: Expected,
  invalid: Record<string, number>,
];

export const eventRows: readonly Row[] = [
  [
    'queued and scheduled',
    [queued(2), scheduled(5)],
    undefined,
    {
      request_queue_time_seconds: [1, 3],
      request_prefill_time_seconds: [1, 5],
      request_inference_time_seconds: [1, 7],
    },
    {},
  ],
  [
    'the last queued before the first scheduled counts',
    [queued(1), queued(3), scheduled(5)],
    undefined,
    { request_queue_time_seconds: [1, 2] },
    {},
  ],
  [
    'a queued after the first scheduled is ignored',
    [queued(1), scheduled(5), queued(9)],
    [queued(11)],
    { request_queue_time_seconds: [1, 4] },
    {},
  ],
  [
    'a queued after a scheduled without a time is ignored',
    [queued(1), scheduled()],
    [queued(9), scheduled(11)],
    { request_queue_time_seconds: [1, 0], request_inference_time_seconds: [1, 0] },
    {},
  ],
  [
    'the first scheduled counts',
    [queued(1), scheduled(5), preempted(6), scheduled(9)],
    undefined,
    {
      request_queue_time_seconds: [1, 4],
      request_prefill_time_seconds: [1, 5],
      request_num_preemptions: [1, 1],
    },
    {},
  ],
  [
    'every preemption counts, with or without a time',
    [preempted(1), preempted()],
    [preempted(11)],
    { num_preemptions_total: 3, request_num_preemptions: [1, 3] },
    {},
  ],
  [
    'an unknown type is ignored',
    [queued(1), { type: 'resumed', timestamp: 2 }, scheduled(3)],
    undefined,
    { request_queue_time_seconds: [1, 2] },
    { type: 1 },
  ],
  [
    'names of Object.prototype are unknown types',
    [{ type: '__proto__' }, { type: 'constructor' }, { type: 'toString' }, {}],
    undefined,
    { num_preemptions_total: 0 },
    { type: 3 }, // `{}` says nothing
  ],
  [
    'fields of other names, and the wire’s arrays',
    [{ event_type: 'preempted', time: 1 }, ['preempted', 1]],
    undefined,
    { num_preemptions_total: 0 },
    { events: 2 },
  ],
  [
    'a wire number is no type',
    [{ type: 3, timestamp: 1 }],
    undefined,
    { num_preemptions_total: 0 },
    { type: 1 },
  ],
  ['no list is ignored', 'queued', { type: 'queued' }, { request_queue_time_seconds: [1, 0] }, { events: 2 }],
  [
    'what is no event in a list is ignored',
    [null, undefined, 7, 'queued', preempted(1)],
    undefined,
    { num_preemptions_total: 1 },
    { events: 4 },
  ],
  ['absent lists', undefined, null, { request_queue_time_seconds: [1, 0] }, {}],
  [
    'an unusable time is missing',
    [queued(Number.NaN), scheduled('5')],
    undefined,
    { request_queue_time_seconds: [1, 0], request_prefill_time_seconds: [1, 0] },
    { 'events.timestamp': 2 },
  ],
  [
    'an absent time is missing, silently',
    [queued(), scheduled(null)],
    undefined,
    { request_queue_time_seconds: [1, 0], request_prefill_time_seconds: [1, 0] },
    {},
  ],
  [
    'scheduled before queued is an interval of 0',
    [queued(7), scheduled(5)],
    undefined,
    { request_queue_time_seconds: [1, 0] },
    { requestQueueTimeSeconds: 1 },
  ],
  [
    'scheduled after the first token is an interval of 0',
    [queued(1), scheduled(11)],
    undefined,
    { request_prefill_time_seconds: [1, 0], request_inference_time_seconds: [1, 1] },
    { requestPrefillTimeSeconds: 1 },
  ],
  [
    'negative times are times',
    [queued(-5), scheduled(-3)],
    undefined,
    { request_queue_time_seconds: [1, 2], request_prefill_time_seconds: [1, 13] },
    {},
  ],
  [
    'huge times are intervals of 0',
    [queued(-1e300), scheduled(1e300)],
    undefined,
    { request_queue_time_seconds: [1, 0] },
    { requestQueueTimeSeconds: 1, requestPrefillTimeSeconds: 1, requestInferenceTimeSeconds: 1 },
  ],
];
