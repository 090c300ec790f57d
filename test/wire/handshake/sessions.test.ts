/** What upstream's programs said to each other before the first request, read and written again. */
import { describe, expect, it } from 'vitest';
import {
  decodeEngineAddresses,
  encodeEngineAddresses,
} from '../../../src/wire/handshake/engine-addresses.js';
import { decodeEngineGreeting, encodeEngineGreeting } from '../../../src/wire/handshake/engine-greeting.js';
import { decodeEngineIdentity, encodeEngineIdentity } from '../../../src/wire/handshake/engine-identity.js';
import { decodeEngineReady, encodeEngineReady } from '../../../src/wire/handshake/engine-ready.js';
import { framesOf, hex } from '../sessions.js';

const GREETINGS = framesOf('handshake', 'engine->frontend', 'engine');
const ADDRESSES = framesOf('handshake', 'frontend->engine', 'frontend');
const READY = framesOf('input', 'engine->frontend', 'engine');

it.each([
  [
    'HELLO and READY',
    GREETINGS,
    (bytes: Uint8Array) => encodeEngineGreeting(decodeEngineGreeting(bytes)),
    40,
  ],
  ['INIT', ADDRESSES, (bytes: Uint8Array) => encodeEngineAddresses(decodeEngineAddresses(bytes)), 20],
  ['the ready response', READY, (bytes: Uint8Array) => encodeEngineReady(decodeEngineReady(bytes)), 20],
] as const)('%s is written back byte for byte', (_name, sent, again, atLeast) => {
  expect(sent.length).toBeGreaterThanOrEqual(atLeast);
  expect(sent.map(({ frames }) => hex(again(frames[1]!)))).toEqual(sent.map(({ frames }) => hex(frames[1]!)));
});

it('the mock engine says what our own would by default', () => {
  const mock = decodeEngineReady(READY[0]!.frames[1]!);
  const ours = decodeEngineReady(encodeEngineReady({}));
  expect({ ...ours, vllmVersion: mock.vllmVersion, instanceId: mock.instanceId }).toEqual(mock);
});

describe('an engine identity', () => {
  it.each([
    [0, '0000'],
    [1, '0100'],
    [258, '0201'],
    [65_535, 'ffff'],
  ])('of %i is %s', (index, bytes) => {
    expect(hex(encodeEngineIdentity(index))).toBe(bytes);
    expect(decodeEngineIdentity(encodeEngineIdentity(index))).toBe(index);
  });

  it.each([-1, 1.5, 65_536, Number.NaN])('of %d does not exist', (index) => {
    expect(() => encodeEngineIdentity(index)).toThrow(RangeError);
  });

  it('of another length is nobody', () => {
    expect(decodeEngineIdentity(Uint8Array.of(1))).toBeUndefined();
    expect(decodeEngineIdentity(Uint8Array.of(1, 0, 0))).toBeUndefined();
  });
});
