/** One bad request can silence a real engine, so nothing is written of one. */
import { describe, expect, it } from 'vitest';
import type { EngineCoreRequest } from '../../../src/engine-core/engine-core-request.js';
import { decodeEngineCoreRequest } from '../../../src/wire/requests/decode-request.js';
import { encodeEngineCoreRequest } from '../../../src/wire/requests/encode-request.js';
import { encodeUtilityCall } from '../../../src/wire/requests/utility-call.js';

const GOOD: EngineCoreRequest = { requestId: 'r', promptTokenIds: [1] };

/** A caller without types. */
function encode(fields: object): Uint8Array {
  return encodeEngineCoreRequest({ ...GOOD, ...fields });
}

describe('encodeEngineCoreRequest refuses', () => {
  it.each<[string, object, string]>([
    ['no id', { requestId: undefined }, 'EngineCoreRequest.requestId: expected a string, got undefined'],
    ['a number for an id', { requestId: 5 }, 'EngineCoreRequest.requestId: expected a string, got 5'],
    ['no prompt', { promptTokenIds: null }, 'EngineCoreRequest.promptTokenIds: expected an array, got null'],
    [
      'text for a prompt',
      { promptTokenIds: 'hi' },
      'EngineCoreRequest.promptTokenIds: expected an array, got "hi"',
    ],
    [
      'a token that is text',
      { promptTokenIds: [1, '2'] },
      'EngineCoreRequest.promptTokenIds[1]: expected a whole',
    ],
    [
      'a salt that is no text',
      { cacheSalt: {} },
      'EngineCoreRequest.cacheSalt: expected a string, got an object',
    ],
    ['sampling as an array', { samplingParams: [] }, 'EngineCoreRequest.samplingParams: expected an object'],
    [
      'a flag as a number in text',
      { resumable: 'yes' },
      'EngineCoreRequest.resumable: expected true or false',
    ],
    [
      'a header that is no text',
      { traceHeaders: { a: null } },
      'EngineCoreRequest.traceHeaders.a: expected a string',
    ],
    [
      'an adapter without a name',
      { loraRequest: { loraIntId: 1 } },
      'EngineCoreRequest.loraRequest.loraName',
    ],
    [
      'a function',
      { extraArgs: 1, poolingParams: () => 0 },
      'EngineCoreRequest.poolingParams: expected a value',
    ],
  ])('%s with a TypeError', (_name, fields, message) => {
    expect(() => encode(fields)).toThrow(TypeError);
    expect(() => encode(fields)).toThrow(message);
  });

  it.each<[string, object, string]>([
    [
      'a token below 0',
      { promptTokenIds: [0, -1] },
      'EngineCoreRequest.promptTokenIds[1]: expected a whole number',
    ],
    ['half a token', { promptTokenIds: [0.5] }, 'EngineCoreRequest.promptTokenIds[0]'],
    ['a token of 33 bits', { promptTokenIds: [2 ** 32] }, 'EngineCoreRequest.promptTokenIds[0]'],
    ['a negative token in a typed array', { promptTokenIds: Int32Array.of(-5) }, 'promptTokenIds[0]'],
    [
      'an infinite temperature',
      { samplingParams: { temperature: Infinity } },
      'samplingParams.temperature: expected a',
    ],
    ['a temperature beyond 32 bits', { samplingParams: { temperature: 1e39 } }, 'samplingParams.temperature'],
    [
      'a topP that is NaN',
      { samplingParams: { topP: Number.NaN } },
      'samplingParams.topP: expected a finite number',
    ],
    [
      'a negative maxTokens',
      { samplingParams: { maxTokens: -1 } },
      'samplingParams.maxTokens: expected a whole',
    ],
    ['a fraction where uint is written', { samplingParams: { topK: 1.5 } }, 'samplingParams.topK'],
    ['a seed of 65 bits', { samplingParams: { seed: 2n ** 63n } }, 'samplingParams.seed'],
    [
      'an arrival time that is NaN',
      { arrivalTime: Number.NaN },
      'arrivalTime: expected a finite number, got NaN',
    ],
    ['a negative client', { clientIndex: -1 }, 'clientIndex: expected a whole number from 0'],
    [
      'a bias of no token',
      { samplingParams: { logitBias: { x: 1 } } },
      'a key of EngineCoreRequest.samplingParams',
    ],
    [
      'a bad word inside a list',
      { samplingParams: { badWordsTokenIds: [[1], [-1]] } },
      'badWordsTokenIds[1][0]',
    ],
  ])('%s with a RangeError', (_name, fields, message) => {
    expect(() => encode(fields)).toThrow(RangeError);
    expect(() => encode(fields)).toThrow(message);
  });

  it('a circle, without an overflow', () => {
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    expect(() => encode({ poolingParams: circle })).toThrow(RangeError);
  });

  it.each([undefined, null, 7])('%s in place of a request', (request) => {
    expect(() => encodeEngineCoreRequest(request as never)).toThrow(TypeError);
  });
});

describe('encodeEngineCoreRequest fills in', () => {
  it('now for the arrival time and 16 for the tokens', () => {
    const before = Date.now() / 1000;
    const { arrivalTime, samplingParams } = decodeEngineCoreRequest(encode({}));
    expect(arrivalTime).toBeGreaterThanOrEqual(before);
    expect(arrivalTime).toBeLessThanOrEqual(Date.now() / 1000);
    expect(samplingParams?.maxTokens).toBe(16);
  });

  it('nothing where a pooling request has no sampling', () => {
    const request = decodeEngineCoreRequest(encode({ samplingParams: null, poolingParams: [true, 'embed'] }));
    expect(request.samplingParams).toBeUndefined();
    expect(request.poolingParams).toEqual([true, 'embed']);
  });
});

describe('encodeUtilityCall refuses', () => {
  it.each<[string, object, ErrorConstructor]>([
    ['no method', { callId: 1 }, TypeError],
    ['a call id of 65 bits', { callId: 2n ** 64n, method: 'm' }, RangeError],
    ['a call id that has lost bits', { callId: 2 ** 60, method: 'm' }, RangeError],
    ['args that are no list', { callId: 1, method: 'm', args: {} }, TypeError],
  ])('%s', (_name, call, error) => {
    expect(() => encodeUtilityCall(call as never)).toThrow(error);
  });
});
