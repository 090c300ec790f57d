import { MAX_DEPTH } from './depth.js';
import type { MsgpackWriter } from './msgpack-writer.js';

/** The integers that msgpack has a form for; a larger whole number is written as a float. */
const LEAST_INTEGER = -(2 ** 63);
const INTEGER_END = 2 ** 64;

/** True for `{ext, data}`, the form in which an extension is read. */
function isExtension(value: object): value is { readonly ext: number; readonly data: Uint8Array } {
  const { ext, data } = value as { ext?: unknown; data?: unknown };
  if (!(data instanceof Uint8Array) || Object.keys(value).length !== 2) return false;
  return Number.isInteger(ext) && (ext as number) >= -128 && (ext as number) < 128;
}

/** Any number: whole ones as integers, save -0, which an integer would lose. */
export function writeNumber(writer: MsgpackWriter, value: number): void {
  const whole = Number.isInteger(value) && value >= LEAST_INTEGER && value < INTEGER_END;
  if (whole && !Object.is(value, -0)) writer.integer(value);
  else writer.float64(value);
}

function writeList(writer: MsgpackWriter, list: readonly unknown[], path: string, depth: number): void {
  writer.array(list.length);
  for (let i = 0; i < list.length; i++) writeOpaque(writer, list[i], `${path}[${i}]`, depth);
}

function writeMap(
  writer: MsgpackWriter,
  map: ReadonlyMap<unknown, unknown>,
  path: string,
  depth: number,
): void {
  writer.map(map.size);
  for (const [key, value] of map) {
    writeOpaque(writer, key, `a key of ${path}`, depth);
    writeOpaque(writer, value, `${path}.${String(key)}`, depth);
  }
}

function writeRecord(writer: MsgpackWriter, record: object, path: string, depth: number): void {
  const entries = Object.entries(record).filter(([, value]) => value !== undefined);
  writer.map(entries.length);
  for (const [key, value] of entries) {
    writer.text(key);
    writeOpaque(writer, value, `${path}.${key}`, depth);
  }
}

function writeObject(writer: MsgpackWriter, value: object, path: string, depth: number): void {
  if (depth >= MAX_DEPTH) throw new RangeError(`${path}: expected at most ${MAX_DEPTH} levels, got more`);
  if (value instanceof Uint8Array) writer.binary(value);
  else if (Array.isArray(value)) writeList(writer, value, path, depth + 1);
  else if (value instanceof Map) writeMap(writer, value, path, depth + 1);
  else if (value instanceof Set) writeList(writer, [...value], path, depth + 1);
  else if (isExtension(value)) writer.extension(value.ext, value.data);
  else writeRecord(writer, value, path, depth + 1);
}

function isWide(value: bigint): boolean {
  return value < -(2n ** 63n) || value >= 2n ** 64n;
}

/**
 * A value whose fields only its receiver knows: what `opaque-reader.ts` reads is written back as it was, a Set becomes
 * an array, and a key whose value is `undefined` is left out.
 * @param depth the arrays and maps around it
 * @throws {TypeError} for a function or a symbol. {@link RangeError} if it nests too deep, as a circle does, or holds
 * a bigint of more than 64 bits. Both name `path`.
 */
export function writeOpaque(writer: MsgpackWriter, value: unknown, path: string, depth: number): void {
  if (value === null || value === undefined) writer.nil();
  else if (typeof value === 'number') writeNumber(writer, value);
  else if (typeof value === 'string') writer.text(value);
  else if (typeof value === 'boolean') writer.boolean(value);
  else if (typeof value === 'object') writeObject(writer, value, path, depth);
  else if (typeof value !== 'bigint')
    throw new TypeError(`${path}: expected a value that msgpack has, got a ${typeof value}`);
  else if (isWide(value)) throw new RangeError(`${path}: expected 64 bits at most, got ${value}`);
  else writer.integer(value);
}
