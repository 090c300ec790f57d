import { decode, encode } from '@msgpack/msgpack';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeAbortIds } from '../../../src/wire/requests/abort-ids.js';
import { decodeEngineCoreRequest } from '../../../src/wire/requests/decode-request.js';
import { encodeEngineCoreRequest } from '../../../src/wire/requests/encode-request.js';
import { decodeUtilityCall, encodeUtilityCall } from '../../../src/wire/requests/utility-call.js';
import { WireDecodeError } from '../../../src/wire/wire-decode-error.js';

describe('decodeEngineCoreRequest', () => {
  it('takes what Python left out of the sampling map as 16 tokens, and unknown keys and positions as nothing', () => {
    const sampling = { temperature: 0, output_kind: 1, watermarking: false };
    const array = ['a', [5, 6], null, sampling, null, 12, ...new Array(15).fill(null), { hints: 1 }];
    expect(decodeEngineCoreRequest(encode(array))).toEqual({
      requestId: 'a',
      promptTokenIds: [5, 6],
      samplingParams: { temperature: 0, maxTokens: 16 },
      arrivalTime: 12,
    });
  });

  it('reads an adapter of seven positions and of the six that release 0.32.0 sends', () => {
    const lora = (array: readonly unknown[]) =>
      decodeEngineCoreRequest(encode(['a', [], null, null, null, 1, array])).loraRequest;
    expect(lora(['ada', 1, '/ada', null, false, true])).toEqual({
      loraName: 'ada',
      loraIntId: 1,
      loraPath: '/ada',
      loadInplace: false,
      is3dLoraWeight: true,
    });
    expect(lora(['ada', 1, '/ada', 'base', { a: 1 }, true, false])).toEqual({
      loraName: 'ada',
      loraIntId: 1,
      loraPath: '/ada',
      baseModelName: 'base',
      tensorizerConfigDict: { a: 1 },
      loadInplace: true,
      is3dLoraWeight: false,
    });
  });

  it.each<[string, Uint8Array, string, number]>([
    ['no bytes', new Uint8Array(), 'truncated', 0],
    ['a map', encode({}), 'not an array', 0],
    ['an empty array', encode([]), 'request_id', 1],
    ['an id alone', encode(['a']), 'prompt_token_ids', 3],
    ['an id that is a number', encode([1, [1]]), 'request_id', 1],
    ['a prompt of nil', encode(['a', null]), 'prompt_token_ids', 3],
    ['a prompt with text in it', encode(['a', [1, 'x']]), 'prompt_token_ids', 3],
    ['a byte too many', Uint8Array.of(0x92, 0xa1, 0x61, 0x90, 0xc0), 'trailing bytes', 4],
    ['a byte too few', encode(['a', [1, 300]]).slice(0, -1), 'truncated', 6],
    ['a length beyond the bytes', Uint8Array.of(0xdd, 0xff, 0xff, 0xff, 0xff), 'length beyond the bytes', 5],
    ['a byte that means nothing', Uint8Array.of(0x91, 0xc1), 'reserved byte 0xc1', 1],
  ])('refuses %s', (_name, bytes, reason, offset) => {
    const error = new WireDecodeError(offset, reason as never);
    expect(() => decodeEngineCoreRequest(bytes)).toThrow(error);
  });

  it('refuses what nests deeper than 512, and takes 512', () => {
    const nested = (depth: number) => {
      const head = [0x93, 0xa1, 0x61, 0x90];
      return Uint8Array.from([...head, ...new Array(depth - 2).fill(0x91), 0x90]);
    };
    expect(decodeEngineCoreRequest(nested(512)).mmFeatures).toBeDefined();
    expect(() => decodeEngineCoreRequest(nested(513))).toThrow('nested deeper than 512');
  });

  it('gives back what was encoded, whatever it was', () => {
    const uint = fc.integer({ min: 0, max: 2 ** 32 - 1 });
    const float = fc.float({ noNaN: true, noDefaultInfinity: true });
    const requests = fc.record(
      {
        requestId: fc.string({ unit: 'binary' }),
        promptTokenIds: fc.array(uint),
        samplingParams: fc.record({ temperature: float, seed: fc.maxSafeInteger(), maxTokens: uint }),
        arrivalTime: fc.double({ noNaN: true, noDefaultInfinity: true }),
        priority: fc.integer(),
        cacheSalt: fc.string(),
        traceHeaders: fc.dictionary(fc.string(), fc.string(), { noNullPrototype: true }),
        reasoningParserKwargs: fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true }),
      },
      { requiredKeys: ['requestId', 'promptTokenIds', 'samplingParams', 'arrivalTime'] },
    );
    fc.assert(
      fc.property(requests, (request) => {
        const decoded = decodeEngineCoreRequest(encodeEngineCoreRequest(request));
        expect(decoded).toMatchObject(request);
      }),
    );
  });
});

describe('decodeAbortIds', () => {
  it('leaves out what is no id', () => {
    expect(decodeAbortIds(encode(['a', 1, null, 'b']))).toEqual(['a', 'b']);
    expect(decodeAbortIds(encode([]))).toEqual([]);
    expect(() => decodeAbortIds(encode('a'))).toThrow(WireDecodeError);
  });
});

describe('decodeUtilityCall', () => {
  it.each([1, -2, 2 ** 53 - 1, 2n ** 53n + 1n, 2n ** 64n - 1n, -(2n ** 63n)])(
    'keeps every bit of call %s',
    (callId) => {
      const call = { clientIndex: 3, callId, method: 'sleep', args: [1, 'abort'] };
      expect(decodeUtilityCall(encodeUtilityCall(call))).toEqual(call);
      expect(decode(encodeUtilityCall(call), { useBigInt64: typeof callId === 'bigint' })).toHaveLength(4);
    },
  );

  it('takes nil for no arguments', () => {
    expect(decodeUtilityCall(encode([0, 1, 'm', null])).args).toEqual([]);
    expect(decodeUtilityCall(encode([0, 1, 'm'])).args).toEqual([]);
  });

  it.each([[[0, 'x', 'm', []]], [[0, 1, 2, []]], [[0, 1]], [{}]])('refuses %j', (call) => {
    expect(() => decodeUtilityCall(encode(call))).toThrow(WireDecodeError);
  });
});
