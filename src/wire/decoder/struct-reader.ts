import { BOOLEAN, MAP, TEXT } from '../msgpack/kind.js';
import { skip, skipOf } from '../msgpack/skip.js';
import { connectorFromWire } from '../outputs/connector-names.js';
import { EVENT_TYPES } from '../outputs/enums.js';
import { indexOfKey, type KnownKey, type KnownMap } from './key-names.js';
import type { ValueReader } from './value-reader.js';

/** Maps with known keys, by their tables. Keys that no table has are skipped; of equal ones the last wins. */
export class StructReader {
  readonly #values: ValueReader;

  constructor(values: ValueReader) {
    this.#values = values;
  }

  /** A map with known keys, every field there; undefined for anything else. */
  read(map: KnownMap, depth: number): Record<string, unknown> | undefined {
    const { reader } = this.#values;
    const kind = reader.head();
    if (kind !== MAP) return this.#values.refuse(kind, map.source, 'a map', depth);
    const fields = map.struct.create();
    let next = 0;
    let seen = 0; // a bit for each key: no table has more than 31
    for (let left = reader.number; left > 0; left--) {
      const index = this.#key(map, next, depth + 1);
      if (index < 0) {
        skip(reader, depth + 1);
        continue;
      }
      const key = map.keys[index]!;
      const value = this.#field(key, depth + 1);
      if (value !== undefined) fields[key.name] = value;
      else if ((seen & (1 << index)) !== 0) fields[key.name] = map.struct.create()[key.name];
      seen |= 1 << index;
      next = index + 1;
    }
    return fields;
  }

  /** A list of such maps; what is none is left out. */
  readAll(map: KnownMap, depth: number): Record<string, unknown>[] | undefined {
    const length = this.#values.list(map.source, depth);
    if (length === undefined) return undefined;
    const all: Record<string, unknown>[] = [];
    for (let i = 0; i < length; i++) {
      const one = this.read(map, depth + 1);
      if (one !== undefined) all.push(one);
    }
    return all;
  }

  /** Reads a key; -1 if it is none of the map's. */
  #key({ keys }: KnownMap, guess: number, depth: number): number {
    const { reader } = this.#values;
    const kind = reader.head();
    if (kind !== TEXT) {
      skipOf(reader, kind, depth);
      return -1;
    }
    const start = reader.need(reader.number);
    return indexOfKey(keys, guess, reader, start, reader.number);
  }

  #field({ kind, source, inner }: KnownKey, depth: number): unknown {
    const values = this.#values;
    switch (kind) {
      case 'count':
        return values.count(source, depth);
      case 'float':
        return values.float(source, depth);
      case 'flag':
        return this.#flag(source, depth);
      case 'text':
        return values.text(source, depth);
      case 'counts':
      case 'floats':
        return values.numbers(kind === 'counts', source, depth);
      case 'tally':
        return values.tally(source, depth);
      case 'map':
        return values.map(source, depth);
      case 'connector':
        return this.#connector(source, depth);
      case 'event type':
        return values.named(EVENT_TYPES, source, depth);
      case 'opaque':
        return values.opaque(depth);
      default:
        return kind === 'struct' ? this.read(inner!, depth) : this.readAll(inner!, depth);
    }
  }

  #flag(source: string, depth: number): boolean | undefined {
    const { reader } = this.#values;
    const kind = reader.head();
    return kind === BOOLEAN ? reader.number === 1 : this.#values.refuse(kind, source, 'true or false', depth);
  }

  #connector(source: string, depth: number): unknown {
    const payload = this.#values.map(source, depth);
    return payload && connectorFromWire(payload);
  }
}
