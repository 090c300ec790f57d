import { refuse } from '../fields/field-type.js';
import type { Fields } from '../fields/struct.js';
import type { MsgpackWriter } from '../msgpack/msgpack-writer.js';
import { writeNumber, writeOpaque } from '../msgpack/opaque-writer.js';
import { connectorToWire } from './connector-names.js';
import { EVENT_TYPES, numberOf } from './enums.js';
import type { FieldKind, MapField, MapStruct } from './map-struct.js';

/** Writes one value, or throws with its path. */
export type Write = (writer: MsgpackWriter, value: unknown, path: string) => void;

/** A number as it is: whole ones as integers. What is odd about it is for its reader to judge. */
export function writeCount(writer: MsgpackWriter, value: unknown, path: string): void {
  if (typeof value === 'number') writeNumber(writer, value);
  else if (typeof value === 'bigint') writeOpaque(writer, value, path, 0);
  else refuse(path, 'a number', value);
}

/** A number as a float, as Python writes one. */
export function writeFloat(writer: MsgpackWriter, value: unknown, path: string): void {
  if (typeof value === 'number') writer.float64(value);
  else refuse(path, 'a number', value);
}

/** A list whose elements `write` writes. */
export function writeList(writer: MsgpackWriter, value: unknown, path: string, write: Write): void {
  if (!Array.isArray(value) && !ArrayBuffer.isView(value)) refuse(path, 'an array', value);
  const list = value as ArrayLike<unknown>;
  writer.array(list.length);
  for (let i = 0; i < list.length; i++) write(writer, list[i], path);
}

/** A list of token ids or of other whole numbers. */
export function writeCounts(writer: MsgpackWriter, value: unknown, path: string): void {
  writeList(writer, value, path, writeCount);
}

/** A value as it is, which has to be an object. */
export function writeObject(writer: MsgpackWriter, value: unknown, path: string): void {
  if (typeof value !== 'object' || value === null) refuse(path, 'an object', value);
  writeOpaque(writer, value, path, 0);
}

/** A map with the keys of `struct`, absent newer ones aside. */
export function writeMap(writer: MsgpackWriter, struct: MapStruct, value: unknown, path: string): void {
  if (typeof value !== 'object' || value === null) refuse(path, 'an object', value);
  const fields = value as Fields;
  const defaults = struct.create();
  const sent = struct.fields.filter(({ name, isNewer }) => !isNewer || (fields[name] ?? null) !== null);
  writer.map(sent.length);
  for (const field of sent) {
    writer.text(field.key);
    writeField(writer, field, fields[field.name] ?? defaults[field.name], `${path}.${field.name}`);
  }
}

/** A map with known keys, or a list of those, is written by its own table. */
type PlainKind = Exclude<FieldKind, object>;

const asItIs: Write = (writer, value, path) => writeOpaque(writer, value, path, 0);

const WRITE: Readonly<Record<PlainKind, Write>> = {
  count: writeCount,
  float: writeFloat,
  counts: writeCounts,
  floats: (writer, value, path) => writeList(writer, value, path, writeFloat),
  'event type': (writer, value, path) => writer.integer(numberOf(EVENT_TYPES, value, path)),
  connector: (writer, value, path) => writeOpaque(writer, connectorToWire(value as object), path, 0),
  tally: writeObject,
  map: writeObject,
  flag: asItIs,
  text: asItIs,
  opaque: asItIs,
};

function writeField(writer: MsgpackWriter, { kind }: MapField, value: unknown, path: string): void {
  if (value === null || value === undefined) writer.nil();
  else if (typeof kind === 'string') WRITE[kind](writer, value, path);
  else if ('create' in kind) writeMap(writer, kind, value, path);
  else writeList(writer, value, path, (to, each, at) => writeMap(to, kind[0], each, at));
}
