import type { FieldKind, MapStruct } from '../outputs/map-struct.js';

/** One key of a map, as the reader looks for it. */
export interface KnownKey {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly kind: FieldKind;
}

const UTF8 = new TextEncoder();
const known = new WeakMap<MapStruct, readonly KnownKey[]>();

/** The keys of a map with their bytes: a message's keys are compared with them, and no string is made. */
export function keysOf(struct: MapStruct): readonly KnownKey[] {
  const keys = known.get(struct);
  if (keys !== undefined) return keys;
  const made = struct.fields.map(({ name, key, kind }) => ({ name, bytes: UTF8.encode(key), kind }));
  known.set(struct, made);
  return made;
}

/** True if `wanted` stands at `start`. */
export function standsAt(bytes: Uint8Array, start: number, wanted: Uint8Array): boolean {
  for (let i = 0; i < wanted.length; i++) if (bytes[start + i] !== wanted[i]) return false;
  return true;
}

/** The index of the key that stands at `start`; -1 if it is not known. `guess` is tried first: keys come in order. */
export function indexOfKey(
  keys: readonly KnownKey[],
  guess: number,
  bytes: Uint8Array,
  start: number,
  length: number,
): number {
  for (let i = 0; i < keys.length; i++) {
    const at = guess + i < keys.length ? guess + i : guess + i - keys.length;
    const wanted = keys[at]!.bytes;
    if (wanted.length === length && standsAt(bytes, start, wanted)) return at;
  }
  return -1;
}
