import { standAt, wordsOf } from '../msgpack/byte-words.js';
import type { MsgpackReader } from '../msgpack/msgpack-reader.js';
import type { FieldKind, MapStruct } from '../outputs/map-struct.js';

/** A map with known keys, at one place in a message. */
export interface KnownMap {
  readonly struct: MapStruct;
  /** The camelCase path to it. */
  readonly source: string;
  readonly keys: readonly KnownKey[];
}

/** One of its keys, by its bytes: a message's keys are compared with them, and no string is made. */
export interface KnownKey {
  readonly name: string;
  readonly source: string;
  readonly length: number;
  readonly words: readonly number[];
  readonly kind: Exclude<FieldKind, object> | 'struct' | 'structs';
  /** The map inside it, or of which it is a list. */
  readonly inner: KnownMap | undefined;
}

const UTF8 = new TextEncoder();

function knownKey(name: string, key: string, kind: FieldKind, source: string): KnownKey {
  const bytes = UTF8.encode(key);
  const words = wordsOf(new DataView(bytes.buffer), 0, bytes.length);
  const known = { name, source, length: bytes.length, words };
  if (typeof kind === 'string') return { ...known, kind, inner: undefined };
  if ('create' in kind) return { ...known, kind: 'struct', inner: knownMap(kind, source) };
  return { ...known, kind: 'structs', inner: knownMap(kind[0], source) };
}

/** The map and all that is inside it, with the paths by which diagnostics name them. */
export function knownMap(struct: MapStruct, source: string): KnownMap {
  const keys = struct.fields.map(({ name, key, kind }) => knownKey(name, key, kind, `${source}.${name}`));
  return { struct, source, keys };
}

/** The index of the key that stands at `start`; -1 if it is not known. `guess` is tried first: keys come in order. */
export function indexOfKey(
  keys: readonly KnownKey[],
  guess: number,
  reader: MsgpackReader,
  start: number,
  length: number,
): number {
  for (let i = 0; i < keys.length; i++) {
    const at = guess + i < keys.length ? guess + i : guess + i - keys.length;
    const key = keys[at]!;
    if (key.length === length && standAt(key.words, reader.view, start, length)) return at;
  }
  return -1;
}
