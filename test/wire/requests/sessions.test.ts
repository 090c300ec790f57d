/** What upstream's Rust client sent, read and written again: the same bytes. */
import { describe, expect, it } from 'vitest';
import { decodeAbortIds, encodeAbortIds } from '../../../src/wire/requests/abort-ids.js';
import { decodeEngineCoreRequest } from '../../../src/wire/requests/decode-request.js';
import { encodeEngineCoreRequest } from '../../../src/wire/requests/encode-request.js';
import { ABORT, ADD, UTILITY } from '../../../src/wire/requests/request-type.js';
import { decodeUtilityCall, encodeUtilityCall } from '../../../src/wire/requests/utility-call.js';
import { framesOf, hex } from '../sessions.js';

const SENT = framesOf('input', 'frontend->engine', 'frontend').map(({ session, frames }) => ({
  session,
  type: frames[1]![0],
  payload: frames[2]!,
}));

const AGAIN: Readonly<Record<number, (payload: Uint8Array) => Uint8Array>> = {
  [ADD]: (payload) => encodeEngineCoreRequest(decodeEngineCoreRequest(payload)),
  [ABORT]: (payload) => encodeAbortIds(decodeAbortIds(payload)),
  [UTILITY]: (payload) => encodeUtilityCall(decodeUtilityCall(payload)),
};

describe('what upstream sent to its engines', () => {
  it.each([
    ['ADD', ADD, 20],
    ['ABORT', ABORT, 1],
    ['UTILITY', UTILITY, 4],
  ])('has %s in it', (_name, type, atLeast) => {
    expect(SENT.filter((sent) => sent.type === type).length).toBeGreaterThanOrEqual(atLeast);
  });

  it('is written back byte for byte', () => {
    const again = SENT.map(({ session, type, payload }) => [session, hex(AGAIN[type!]!(payload))]);
    expect(again).toEqual(SENT.map(({ session, payload }) => [session, hex(payload)]));
  });
});

describe('encodeEngineCoreRequest', () => {
  it('makes the bytes of a recorded request from what a caller would write', () => {
    const { payload } = SENT.find(({ session }) => session === 'one-request-5-tokens')!;
    const bytes = encodeEngineCoreRequest({
      requestId: 'req-1',
      promptTokenIds: Uint32Array.of(20841, 448, 6896, 25, 23811),
      samplingParams: { maxTokens: 5 },
      arrivalTime: 1767225600.25,
    });
    expect(hex(bytes)).toBe(hex(payload));
    expect(bytes).toHaveLength(226);
  });
});
