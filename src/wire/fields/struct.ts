import type { MsgpackWriter } from '../msgpack/msgpack-writer.js';
import type { FieldType } from './field-type.js';

/** One field of a struct. */
export interface Field {
  /** Our name. */
  readonly name: string;
  /** The wire's, where it is a map's key. */
  readonly key: string;
  readonly type: FieldType;
  /** What is sent if the field is absent; without it, nil, or nothing where nil is left out. */
  readonly fallback?: unknown;
  /** Left out of a map if absent. */
  readonly isOptional?: boolean;
}

/** Fields by our names; a null is absent. */
export type Fields = Readonly<Record<string, unknown>>;

function sent(fields: Fields, { name, fallback }: Field): unknown {
  return fields[name] ?? fallback;
}

function writeField(writer: MsgpackWriter, field: Field, value: unknown, path: string): void {
  if (value === null || value === undefined) {
    writer.nil();
    return;
  }
  const where = `${path}.${field.name}`;
  field.type.check(value, where);
  field.type.write(writer, value, where);
}

/** Writes an array with every field of `struct` in its position. Throws as `FieldType.check` does. */
export function writePositions(
  writer: MsgpackWriter,
  struct: readonly Field[],
  fields: Fields,
  path: string,
): void {
  writer.array(struct.length);
  for (const field of struct) writeField(writer, field, sent(fields, field), path);
}

/** Writes a map with every field of `struct`, absent optional ones aside. Throws as `FieldType.check` does. */
export function writeKeys(
  writer: MsgpackWriter,
  struct: readonly Field[],
  fields: Fields,
  path: string,
): void {
  const present = struct.filter((field) => !field.isOptional || (sent(fields, field) ?? null) !== null);
  writer.map(present.length);
  for (const field of present) {
    writer.text(field.key);
    writeField(writer, field, sent(fields, field), path);
  }
}

function readField(into: Record<string, unknown>, { name, type }: Field, value: unknown): void {
  if (value === null || value === undefined) return;
  const read = type.read(value);
  if (read !== undefined) into[name] = read;
}

/** The fields of a decoded array; what is unreadable is absent, what is beyond `struct` ignored. */
export function readPositions(struct: readonly Field[], values: readonly unknown[]): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  struct.forEach((field, i) => {
    readField(fields, field, values[i]);
  });
  return fields;
}

/** The fields of a decoded map; what is unreadable is absent, unknown keys are ignored. */
export function readKeys(struct: readonly Field[], map: object): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  const values = map instanceof Map ? map : new Map(Object.entries(map));
  for (const field of struct) readField(fields, field, values.get(field.key));
  return fields;
}
