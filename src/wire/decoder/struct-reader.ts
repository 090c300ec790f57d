import { BOOLEAN, MAP, TEXT } from '../msgpack/kind.js';
import { skip, skipOf } from '../msgpack/skip.js';
import { connectorFromWire } from '../outputs/connector-names.js';
import { EVENT_TYPES } from '../outputs/enums.js';
import type { FieldKind, MapStruct } from '../outputs/map-struct.js';
import { indexOfKey, keysOf } from './key-names.js';
import type { ValueReader } from './value-reader.js';

/** Maps with known keys, by their tables. Keys that no table has are skipped; of equal ones the last wins. */
export class StructReader {
  readonly #values: ValueReader;

  constructor(values: ValueReader) {
    this.#values = values;
  }

  /** A map with the keys of `struct`, every field there; undefined for anything else. */
  read(struct: MapStruct, source: string, depth: number): Record<string, unknown> | undefined {
    const { reader } = this.#values;
    const kind = reader.head();
    if (kind !== MAP) return this.#values.refuse(kind, source, 'a map', depth);
    const fields = struct.create();
    const keys = keysOf(struct);
    let next = 0;
    for (let left = reader.number; left > 0; left--) {
      const index = this.#key(struct, next, depth + 1);
      if (index < 0) {
        skip(reader, depth + 1);
        continue;
      }
      const { name, kind } = keys[index]!;
      const value = this.#field(kind, `${source}.${name}`, depth + 1);
      if (value !== undefined) fields[name] = value;
      next = index + 1;
    }
    return fields;
  }

  /** A list of such maps; what is none is left out. */
  readAll(struct: MapStruct, source: string, depth: number): Record<string, unknown>[] | undefined {
    const length = this.#values.list(source, depth);
    if (length === undefined) return undefined;
    const all: Record<string, unknown>[] = [];
    for (let i = 0; i < length; i++) {
      const one = this.read(struct, source, depth + 1);
      if (one !== undefined) all.push(one);
    }
    return all;
  }

  /** Reads a key; -1 if it is none of the struct's. */
  #key(struct: MapStruct, guess: number, depth: number): number {
    const { reader } = this.#values;
    const kind = reader.head();
    if (kind !== TEXT) {
      skipOf(reader, kind, depth);
      return -1;
    }
    const start = reader.need(reader.number);
    return indexOfKey(keysOf(struct), guess, reader.bytes, start, reader.number);
  }

  #field(kind: FieldKind, source: string, depth: number): unknown {
    const values = this.#values;
    if (typeof kind === 'object')
      return 'create' in kind ? this.read(kind, source, depth) : this.readAll(kind[0], source, depth);
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
      default:
        return values.opaque(depth);
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
