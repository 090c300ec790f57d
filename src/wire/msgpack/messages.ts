import { WireDecodeError } from '../wire-decode-error.js';
import { ARRAY, MAP } from './kind.js';
import { MsgpackReader } from './msgpack-reader.js';
import { readOpaque, readOpaqueOf } from './opaque-reader.js';

/** A message that is an array: its elements, and where each starts; one more offset is the end. */
export interface ArrayMessage {
  readonly values: readonly unknown[];
  readonly offsets: readonly number[];
}

/** The length of a message that has to be an array. Throws {@link WireDecodeError}. */
export function readArrayHead(reader: MsgpackReader): number {
  if (reader.head() !== ARRAY) throw new WireDecodeError(0, 'not an array');
  return reader.number;
}

/** Reads a whole message that has to be an array. Throws {@link WireDecodeError}. */
export function readArray(bytes: Uint8Array): ArrayMessage {
  const reader = new MsgpackReader(bytes);
  const length = readArrayHead(reader);
  const values: unknown[] = [];
  const offsets = [reader.position];
  for (let left = length; left > 0; left--) {
    values.push(readOpaque(reader, 1));
    offsets.push(reader.position);
  }
  reader.finish();
  return { values, offsets };
}

/** Reads a whole message that has to be a map. Throws {@link WireDecodeError}. */
export function readMap(bytes: Uint8Array): object {
  const reader = new MsgpackReader(bytes);
  const kind = reader.head();
  if (kind !== MAP) throw new WireDecodeError(0, 'not a map');
  const map = readOpaqueOf(reader, kind, 0) as object; // MAP
  reader.finish();
  return map;
}
