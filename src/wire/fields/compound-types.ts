import { writeOpaque } from '../msgpack/opaque-writer.js';
import { type FieldType, refuse, simpleType } from './field-type.js';

function isList(value: unknown): value is ArrayLike<unknown> {
  return Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView));
}

/** An array, or a typed array, whose elements are all of one type; read as an array. */
export function listOf(type: FieldType): FieldType {
  return {
    fits: isList,
    check(value, path) {
      if (!isList(value)) return refuse(path, 'an array', value);
      for (let i = 0; i < value.length; i++) {
        // A prompt is long: no path is made for a scalar that fits.
        if (typeof value[i] === 'object' || !type.fits(value[i])) type.check(value[i], `${path}[${i}]`);
      }
    },
    write(writer, value, path) {
      const list = value as ArrayLike<unknown>; // `check` came first
      writer.array(list.length);
      for (let i = 0; i < list.length; i++) type.write(writer, list[i], path);
    },
    read(value) {
      if (!Array.isArray(value)) return undefined;
      const read = value.map((element) => type.read(element));
      return read.includes(undefined) ? undefined : read;
    },
  };
}

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value);
}

/** Keys and values of an object or a Map. */
function entriesOf(value: object): [unknown, unknown][] {
  return value instanceof Map ? [...value] : Object.entries(value);
}

/** A map whose keys are data, as an object; read as it was decoded. */
export const OPAQUE_MAP: FieldType = simpleType('an object', isRecord, (writer, value, path) =>
  writeOpaque(writer, value, path, 2),
);

/** A map from strings to values of one type. */
export function recordOf(type: FieldType): FieldType {
  return {
    fits: isRecord,
    check(value, path) {
      if (!isRecord(value)) return refuse(path, 'an object', value);
      for (const [key, element] of entriesOf(value)) type.check(element, `${path}.${String(key)}`);
    },
    write: OPAQUE_MAP.write,
    read(value) {
      if (!isRecord(value) || value instanceof Map) return undefined;
      return Object.values(value).every((element) => type.read(element) !== undefined) ? value : undefined;
    },
  };
}

/** A map from whole numbers to values of one type: a Map, or an object whose keys look like numbers. Read as a Map. */
export function numberedOf(keys: FieldType, values: FieldType): FieldType {
  return {
    fits: isRecord,
    check(value, path) {
      if (!isRecord(value)) return refuse(path, 'an object or a Map', value);
      for (const [key, element] of entriesOf(value)) {
        keys.check(typeof key === 'string' ? Number(key) : key, `a key of ${path}`);
        values.check(element, `${path}[${String(key)}]`);
      }
    },
    write(writer, value, path) {
      const entries = entriesOf(value as object); // `check` came first
      writer.map(entries.length);
      for (const [key, element] of entries) {
        keys.write(writer, Number(key), path);
        values.write(writer, element, path);
      }
    },
    read(value) {
      if (!isRecord(value)) return undefined;
      const entries = entriesOf(value);
      const known = entries.every(
        ([key, element]) => keys.read(key) !== undefined && values.read(element) !== undefined,
      );
      return known ? new Map(entries) : undefined;
    },
  };
}

function isAny(_: unknown): _ is unknown {
  return true;
}

/** Anything, as it is. */
export const OPAQUE: FieldType = simpleType('a value that msgpack has', isAny, (writer, value, path) =>
  writeOpaque(writer, value, path, 1),
);

/** An array of anything. */
export const OPAQUE_LIST: FieldType = simpleType('an array', Array.isArray, (writer, value, path) =>
  writeOpaque(writer, value, path, 1),
);
