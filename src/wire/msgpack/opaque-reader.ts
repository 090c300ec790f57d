import { WireDecodeError } from '../wire-decode-error.js';
import { MAX_DEPTH } from './depth.js';
import { ARRAY, BINARY, BOOLEAN, FLOAT, INTEGER, type Kind, MAP, NIL, TEXT } from './kind.js';
import type { MsgpackReader } from './msgpack-reader.js';

/** Broken UTF-8 reads as U+FFFD, and a byte order mark is a character like any other. */
const UTF8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** The text that the last head counted. */
export function readText(reader: MsgpackReader): string {
  return UTF8.decode(reader.payload());
}

/** A copy of the bytes that the last head counted: the message's own are not kept. */
function readBytes(reader: MsgpackReader): Uint8Array {
  return reader.payload().slice();
}

/** The value of a head that is neither an array's nor a map's. */
function readScalar(reader: MsgpackReader, kind: Kind): unknown {
  switch (kind) {
    case NIL:
      return null;
    case BOOLEAN:
      return reader.number === 1;
    case INTEGER:
    case FLOAT:
      return reader.number;
    case TEXT:
      return readText(reader);
    case BINARY:
      return readBytes(reader);
    default:
      return { ext: reader.extensionType, data: readBytes(reader) };
  }
}

/** A plain object if every key is a string, else a Map; the last of equal keys wins. */
function mapOf(keysAndValues: readonly unknown[]): object {
  const record: Record<string, unknown> = {};
  for (let i = 0; i < keysAndValues.length; i += 2) {
    const key = keysAndValues[i];
    if (typeof key !== 'string') return realMapOf(keysAndValues);
    if (key === '__proto__') defineOwn(record, key, keysAndValues[i + 1]);
    else record[key] = keysAndValues[i + 1];
  }
  return record;
}

/** As `record[key] = value`, for the one name with which that would change the object's prototype. */
export function defineOwn(record: object, key: string, value: unknown): void {
  Object.defineProperty(record, key, { value, writable: true, enumerable: true, configurable: true });
}

function realMapOf(keysAndValues: readonly unknown[]): Map<unknown, unknown> {
  const map = new Map<unknown, unknown>();
  for (let i = 0; i < keysAndValues.length; i += 2) map.set(keysAndValues[i], keysAndValues[i + 1]);
  return map;
}

/** An array or a map that is still being read. */
interface Open {
  readonly isMap: boolean;
  /** Elements of the array; keys and values of the map in turn. */
  readonly values: unknown[];
  readonly length: number;
}

function opened(reader: MsgpackReader, kind: Kind): Open {
  const isMap = kind === MAP;
  return { isMap, values: [], length: isMap ? reader.number * 2 : reader.number };
}

/** Puts a value where it belongs and closes what is full with it; the outermost value is returned. */
function placed(value: unknown, open: Open[]): unknown {
  let whole = value;
  while (true) {
    const inner = open.at(-1);
    if (inner === undefined) return whole;
    inner.values.push(whole);
    if (inner.values.length < inner.length) return undefined;
    open.pop();
    whole = inner.isMap ? mapOf(inner.values) : inner.values;
  }
}

/**
 * A value whose fields are not known here: plain objects (Maps, where a key is not a string), arrays, `{ext, data}`,
 * bytes as copies, integers beyond 2^53 as the nearest number. It keeps a list of what is open, and no hostile depth
 * can overflow the stack.
 * @param depth the arrays and maps around it
 * @throws {WireDecodeError} if it is cut off, or nests too deep.
 */
export function readOpaque(reader: MsgpackReader, depth: number): unknown {
  return readOpaqueOf(reader, reader.head(), depth);
}

/** The same for a value whose head has been read. */
export function readOpaqueOf(reader: MsgpackReader, first: Kind, depth: number): unknown {
  const open: Open[] = [];
  let kind = first;
  while (true) {
    let value: unknown;
    if (kind !== ARRAY && kind !== MAP) value = placed(readScalar(reader, kind), open);
    else if (depth + open.length >= MAX_DEPTH)
      throw new WireDecodeError(reader.position, 'nested deeper than 512');
    else if (reader.number > 0) open.push(opened(reader, kind));
    else value = placed(kind === MAP ? {} : [], open);
    if (open.length === 0) return value;
    kind = reader.head();
  }
}
