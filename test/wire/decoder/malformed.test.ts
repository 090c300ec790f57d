/** Odd messages: what is refused as a whole, and what survives, in bounded time and memory. */
import { describe, expect, it } from 'vitest';
import { EngineCoreOutputsDecoder, WireDecodeError } from '../../../src/wire/index.js';
import { framesOf, MALFORMED, present } from './vectors.js';

/** Refused as a whole, and why. */
const REFUSED: Readonly<Record<string, string>> = {
  'empty byte string': 'truncated',
  'truncated to 10 %': 'length beyond the bytes',
  'truncated to 50 %': 'length beyond the bytes',
  'truncated to 90 %': 'length beyond the bytes',
  'last byte missing': 'truncated',
  'one byte: array header only': 'length beyond the bytes',
  'trailing byte after a whole message': 'trailing bytes',
  nil: 'not an array',
  'an integer': 'not an array',
  'a float': 'not an array',
  'a byte string': 'not an array',
  'an empty map': 'not an array',
  'random bytes, seed 1': 'not an array',
  'random bytes, seed 2': 'not an array',
  'random bytes behind a valid header': 'engine_index',
  'array claims 2^32-1 elements': 'length beyond the bytes',
  'outputs claims 2^32-1 elements': 'length beyond the bytes',
  'token list claims 2^31 elements': 'length beyond the bytes',
  'string claims 2^32-1 bytes': 'length beyond the bytes',
  'map claims 2^32-1 entries': 'length beyond the bytes',
  'ext claims 2^32-1 bytes': 'length beyond the bytes',
  'nested 10000 deep in kv_transfer_params': 'nested deeper than 512',
  'engine_index is a string': 'engine_index',
  'engine_index is a float': 'engine_index',
  'engine_index is negative': 'engine_index',
};

/** Read, with what was left out: source of each diagnostic, and a part of the message. */
const SURVIVES: Readonly<Record<string, readonly [sources: string, part: object]>> = {
  'engine_index is a whole float': ['', { engineIndex: 1, timestamp: 12.5 }],
  'outputs is nil': ['', { outputs: [] }],
  'outputs holds nil': ['outputs', { outputs: [] }],
  'timestamp is NaN': ['', { timestamp: Number.NaN }],
  'timestamp is nil': ['', {}],
  'timestamp is a string': ['timestamp', {}],
  'timestamp is 2^64-1 as integer': ['', { timestamp: 2 ** 64 }],
  'timestamp as float32': ['', { timestamp: 12.5 }],
  'timestamp is minus zero': ['', { timestamp: -0 }],
  'finished_requests is a string': ['finishedRequests', {}],
  'finished_requests with a number': ['finishedRequests', { finishedRequests: ['a'] }],
  'wave_complete is a float': ['waveComplete', {}],
  'wave_complete is negative': ['', { waveComplete: -3 }],
  'utility_output call_id nil': ['utilityOutput', {}],
  'utility_output result not wrapped': ['utilityOutput.result', { utilityOutput: { callId: 1 } }],
  'utility_output result with type information': ['', { utilityOutput: { callId: 1, result: 7 } }],
  'output is empty': ['outputs', { outputs: [] }],
  'output has one field': ['outputs', { outputs: [] }],
  'output is a map': ['outputs', { outputs: [] }],
  'output is a string': ['outputs', { outputs: [] }],
  'request_id is an integer': ['outputs.requestId outputs', { outputs: [] }],
  'request_id is nil': ['outputs', { outputs: [] }],
  'request_id is bytes': ['outputs.requestId outputs', { outputs: [] }],
  'request_id is a lone surrogate in UTF-8': ['', { outputs: [{ requestId: '\ufffd\ufffd\ufffd' }] }],
  'new_token_ids is nil': ['outputs', { outputs: [] }],
  'new_token_ids holds a float': ['outputs.newTokenIds outputs', { outputs: [] }],
  'new_token_ids holds a whole float': ['', { outputs: [{ newTokenIds: [1] }] }],
  'new_token_ids holds a string': ['outputs.newTokenIds outputs', { outputs: [] }],
  'new_token_ids is bytes': ['outputs.newTokenIds outputs', { outputs: [] }],
  'finish_reason 5': ['outputs.finishReason', { outputs: [{ finishReason: '5' }] }],
  'finish_reason 99': ['outputs.finishReason', { outputs: [{ finishReason: '99' }] }],
  'finish_reason -1': ['outputs.finishReason', { outputs: [{ finishReason: '-1' }] }],
  'finish_reason is a string': ['outputs.finishReason', { outputs: [{ requestId: 'req-1' }] }],
  'finish_reason is a bool': ['outputs.finishReason', { outputs: [{ requestId: 'req-1' }] }],
  'stop_reason is a float': ['outputs.stopReason', { outputs: [{ requestId: 'req-1' }] }],
  'stop_reason is a list': ['outputs.stopReason', { outputs: [{ requestId: 'req-1' }] }],
  'event type 0': ['outputs.events.type', { outputs: [{ events: [{ type: '0', timestamp: 8 }] }] }],
  'event type 4': ['outputs.events.type', { outputs: [{ events: [{ type: '4', timestamp: 8 }] }] }],
  'event type 77': ['outputs.events.type', { outputs: [{ events: [{ type: '77', timestamp: 8 }] }] }],
  'event type is a string': ['outputs.events.type outputs.events', { outputs: [{ events: [] }] }],
  'event without timestamp': ['outputs.events', { outputs: [{ events: [] }] }],
  'event without type': ['outputs.events', { outputs: [{ events: [] }] }],
  'event is an array': ['outputs.events', { outputs: [{ events: [] }] }],
  'event timestamp is a string': ['outputs.events.timestamp outputs.events', { outputs: [{ events: [] }] }],
  'event with a duplicate key': ['', { outputs: [{ events: [{ type: 'scheduled', timestamp: 8 }] }] }],
  'prefill_stats is an array': ['outputs.prefillStats', { outputs: [{ newTokenIds: [1] }] }],
  'prefill_stats with a float': ['outputs.prefillStats.numPromptTokens', { outputs: [{ newTokenIds: [1] }] }],
  'prefill_stats with a string': [
    'outputs.prefillStats.numPromptTokens',
    { outputs: [{ newTokenIds: [1] }] },
  ],
  'prefill_stats negative': ['', { outputs: [{ prefillStats: { numPromptTokens: -4 } }] }],
  'prefill_stats with an integer key': ['', { outputs: [{ prefillStats: {} }] }],
  'num_nans_in_logits is nil': ['', { outputs: [{ numNansInLogits: 0 }] }],
  'kv_transfer_params with an integer key': ['', { outputs: [{ kvTransferParams: new Map([[1, 2]]) }] }],
  'request_id is __proto__': ['', { outputs: [{ requestId: '__proto__' }] }],
  'scheduler_stats is an array': ['schedulerStats', {}],
  'scheduler_stats count is a string': [
    'schedulerStats.numRunningReqs',
    { schedulerStats: { numRunningReqs: 0 } },
  ],
  'scheduler_stats count is a float': [
    'schedulerStats.numRunningReqs',
    { schedulerStats: { numRunningReqs: 0 } },
  ],
  'scheduler_stats count is a whole float': ['', { schedulerStats: { numRunningReqs: 2 } }],
  'scheduler_stats count is nil': ['', { schedulerStats: { numRunningReqs: 0 } }],
  'scheduler_stats count negative': ['', { schedulerStats: { numRunningReqs: -1 } }],
  'scheduler_stats usage NaN': ['', { schedulerStats: { kvCacheUsage: Number.NaN } }],
  'prefix_cache_stats nil': ['', { schedulerStats: { prefixCacheStats: { queries: 0 } } }],
  'prefix_cache_stats reset is 1': ['schedulerStats.prefixCacheStats.reset', { schedulerStats: {} }],
  'cudagraph_stats incomplete': ['', { schedulerStats: {} }],
  'eviction event incomplete': ['', { schedulerStats: {} }],
  'eviction event gaps as nil': ['', { schedulerStats: {} }],
  'kv_connector_stats with an integer key': ['', { schedulerStats: {} }],
  'lora map with a float': ['schedulerStats.runningLoraAdapters', { schedulerStats: {} }],
  'new_logprobs: three instead of four parts': ['', { outputs: [{ newTokenIds: [1] }] }],
  'new_logprobs: frame number out of range': ['', { outputs: [{ newTokenIds: [1] }] }],
  'new_logprobs: shape does not fit the bytes': ['', { outputs: [{ newTokenIds: [1] }] }],
  'new_logprobs: unknown ext type 42': ['', { outputs: [{ newTokenIds: [1] }] }],
  'new_logprobs: pickle ext type 1': ['', { outputs: [{ newTokenIds: [1] }] }],
  'new_logprobs: unknown dtype': ['', { outputs: [{ newTokenIds: [1] }] }],
  'an auxiliary frame that nothing refers to': ['', { engineIndex: 1 }],
  'a msgpack timestamp ext in kv_transfer_params': [
    '',
    { outputs: [{ kvTransferParams: { t: { ext: -1, data: new Uint8Array([0, 0, 0, 1]) } } }] },
  ],
};

const byName = new Map(MALFORMED.map((vector) => [vector.name, vector]));

it('every vector has its rule', () => {
  const ruled = [...Object.keys(REFUSED), ...Object.keys(SURVIVES)];
  expect(ruled.toSorted()).toEqual([...byName.keys()].toSorted());
});

describe('a message that cannot be read is refused', () => {
  it.each(Object.entries(REFUSED))('%s: %s', (name, reason) => {
    const decode = () => new EngineCoreOutputsDecoder().decode(framesOf(byName.get(name)!));
    expect(decode).toThrow(WireDecodeError);
    expect(decode).toThrow(expect.objectContaining({ reason, offset: expect.any(Number) }));
  });
});

describe('anything smaller survives', () => {
  it.each(Object.entries(SURVIVES))('%s', (name, [sources, part]) => {
    const told: string[] = [];
    const decoder = new EngineCoreOutputsDecoder({ onDiagnostic: ({ source }) => told.push(source) });
    const message = decoder.decode(framesOf(byName.get(name)!));
    expect(present(message)).toMatchObject(part);
    expect(told.join(' ')).toBe(sources);
  });

  it('with tensors too, those without their bytes aside; pickles stay bytes', () => {
    for (const vector of MALFORMED.filter(({ name }) => name.startsWith('new_logprobs'))) {
      const told: string[] = [];
      const decoder = new EngineCoreOutputsDecoder({
        tensors: true,
        onDiagnostic: ({ source }) => told.push(source),
      });
      expect(decoder.decode(framesOf(vector)).outputs).toHaveLength(1);
      const isBroken = /out of range|does not fit|ext type/.test(vector.name);
      expect([vector.name, new Set(told)]).toEqual([
        vector.name,
        new Set(isBroken ? ['outputs.newLogprobs'] : []),
      ]);
    }
  });
});

it('a host’s callback that throws, or rejects, loses nothing', async () => {
  const vector = byName.get('finish_reason 5')!;
  for (const onDiagnostic of [
    () => {
      throw new Error('of the host');
    },
    () => Promise.reject(new Error('of the host')),
  ]) {
    const decoder = new EngineCoreOutputsDecoder({ onDiagnostic: onDiagnostic as () => void });
    expect(decoder.decode(framesOf(vector)).outputs).toHaveLength(1);
  }
  await Promise.resolve();
});

it.each([
  ['tensors', { tensors: 1 }],
  ['onDiagnostic', { onDiagnostic: 5 }],
])('a bad option is refused at construction: %s', (name, options) => {
  expect(() => new EngineCoreOutputsDecoder(options as never)).toThrow(new RegExp(`^${name}: expected`));
});
