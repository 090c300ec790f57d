/**
 * The beginning of an output as today's engines spell it in a step of decoding: an array of 16 bits of length, an id of
 * up to 255 bytes, up to 15 tokens of up to 32 bits. Read here without a call for each head; anything else is undefined
 * (or -1), and is read the long way. Bytes beyond the end read as undefined, which no spelling has.
 */
import type { MsgpackReader } from '../msgpack/msgpack-reader.js';
import type { KnownTexts } from './known-texts.js';

/** The number of positions; -1 for a head of another width. */
export function shortHead(reader: MsgpackReader): number {
  const { bytes, position } = reader;
  if (bytes[position] !== 0xdc || bytes[position + 1] !== 0) return -1;
  reader.position = position + 3;
  return bytes[position + 2]!;
}

export function shortId(reader: MsgpackReader, ids: KnownTexts): string | undefined {
  const { bytes, position } = reader;
  const head = bytes[position]!;
  const isFixed = head >= 0xa0 && head < 0xc0;
  if (!isFixed && head !== 0xd9) return undefined;
  const length = isFixed ? head & 0x1f : bytes[position + 1]!;
  const start = position + (isFixed ? 1 : 2);
  if (!(start + length <= reader.end)) return undefined;
  reader.position = start + length;
  return ids.take(reader, start, length);
}

/** Undefined, with the position where it was, for a list in another spelling. */
export function shortTokens(reader: MsgpackReader): number[] | undefined {
  const { bytes, position } = reader;
  const head = bytes[position]!;
  if (head === 0x91 && bytes[position + 1]! < 0x80) {
    reader.position = position + 2;
    return [bytes[position + 1]!];
  }
  if (!(head >= 0x90 && head < 0xa0)) return undefined;
  const tokens: number[] = [];
  reader.position = position + 1;
  for (let left = head & 0x0f; left > 0; left--) {
    const token = shortToken(reader);
    if (token < 0) break;
    tokens.push(token);
  }
  if (tokens.length === (head & 0x0f) && reader.position <= reader.end) return tokens;
  reader.position = position;
  return undefined;
}

/** A token's id; -1 in another spelling. */
function shortToken(reader: MsgpackReader): number {
  const { bytes, position: at } = reader;
  const head = bytes[at]!;
  if (head < 0x80) {
    reader.position = at + 1;
    return head;
  }
  if (head === 0xcd) {
    reader.position = at + 3;
    return (bytes[at + 1]! << 8) | bytes[at + 2]!;
  }
  if (head === 0xcc) {
    reader.position = at + 2;
    return bytes[at + 1]!;
  }
  if (head !== 0xce) return -1;
  reader.position = at + 5;
  return ((bytes[at + 1]! << 24) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 8) | bytes[at + 4]!) >>> 0;
}

/** Four nils, three and a 0, two. */
const NILS = 0xc0c0c0c0 | 0;
const NILS_AND_ZERO = 0xc0c0c000 | 0;
const TWO_NILS = 0xc0c0;

/**
 * Moves past the positions after the first two if they say nothing: all nil, but the count of NaNs, which is 0. True if
 * so. Sixteen positions are today's arrays, eighteen those of release 0.32.0.
 */
export function skipNothing(reader: MsgpackReader, length: number): boolean {
  const { view, position: at } = reader;
  const size = length - 2;
  if ((length !== 16 && length !== 18) || at + size > reader.end) return false;
  const saysNothing =
    view.getInt32(at) === NILS &&
    view.getInt32(at + 4) === NILS &&
    view.getInt32(at + 8) === NILS_AND_ZERO &&
    view.getUint16(at + 12) === TWO_NILS &&
    (length === 16 || view.getUint16(at + 14) === TWO_NILS);
  if (saysNothing) reader.position = at + size;
  return saysNothing;
}
