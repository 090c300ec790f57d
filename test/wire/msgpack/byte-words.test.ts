import fc from 'fast-check';
import { expect, it } from 'vitest';
import { doublesOf, doublesStandAt, standAt, wordsOf } from '../../../src/wire/msgpack/byte-words.js';

/** ASCII without NUL, eight at least: what has numbers of 64 bits. */
const plain = fc.uint8Array({ min: 1, max: 127, minLength: 8, maxLength: 80 });

/** The bytes at an odd place of a larger buffer, as they stand in a message. */
function placed(bytes: Uint8Array): DataView {
  const buffer = new Uint8Array(bytes.length + 9).fill(0xc0);
  buffer.set(bytes, 3);
  return new DataView(buffer.buffer);
}

it('knows the same plain bytes, and tells any other byte, in words and in doubles', () => {
  fc.assert(
    fc.property(plain, fc.nat(), fc.integer({ min: 1, max: 255 }), (bytes, place, change) => {
      const { length } = bytes;
      const view = placed(bytes);
      const [words, doubles] = [wordsOf(view, 3, length), doublesOf(view, 3, length)];
      expect(doubles).not.toEqual([]);
      expect(standAt(words, view, 3, length)).toBe(true);
      expect(doublesStandAt(doubles, view, 3, length)).toBe(true);
      const other = placed(bytes);
      const at = 3 + (place % length);
      other.setUint8(at, other.getUint8(at) ^ change);
      expect(standAt(words, other, 3, length)).toBe(false);
      expect(doublesStandAt(doubles, other, 3, length)).toBe(false);
    }),
  );
});

it.each([
  ['fewer than eight', [97, 98, 99, 100, 101, 102, 103]],
  ['a NUL: eight of them are equal to their negative zero', [0, 0, 0, 0, 0, 0, 0, 0]],
  [
    'one beyond ASCII: it could be NaN, which is not equal to itself',
    [97, 98, 99, 100, 101, 102, 0xf8, 0x7f],
  ],
  ['one beyond ASCII at the end', [97, 98, 99, 100, 101, 102, 103, 104, 105, 0x80]],
])('has no doubles for bytes with %s', (_, bytes) => {
  const view = placed(Uint8Array.from(bytes));
  expect(doublesOf(view, 3, bytes.length)).toEqual([]);
  expect(standAt(wordsOf(view, 3, bytes.length), view, 3, bytes.length)).toBe(true);
});
