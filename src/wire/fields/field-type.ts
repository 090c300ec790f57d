import type { MsgpackWriter } from '../msgpack/msgpack-writer.js';

/** How one field is checked, written and read. All four know the same values. */
export interface FieldType {
  /** True if `check` lets the value through; of a struct or a map, as far as its kind goes. */
  fits(value: unknown): boolean;
  /** Throws `TypeError`, or `RangeError` for a number, naming `path`. */
  check(value: unknown, path: string): void;
  /** Writes a value that `check` let through. */
  write(writer: MsgpackWriter, value: unknown, path: string): void;
  /** What a decoded value means; undefined if it is not one of these. */
  read(value: unknown): unknown;
}

const MAX_TEXT = 60;

function printed(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, MAX_TEXT));
  if (typeof value === 'bigint') return `${value}n`;
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}

/** Throws a `TypeError` that names the field. */
export function refuse(path: string, expected: string, value: unknown): never {
  throw new TypeError(`${path}: expected ${expected}, got ${printed(value)}`);
}

/** The same for a field that holds numbers: one that is out of range is a `RangeError`. */
export function refuseNumber(path: string, expected: string, value: unknown): never {
  if (typeof value !== 'number' && typeof value !== 'bigint') refuse(path, expected, value);
  throw new RangeError(`${path}: expected ${expected}, got ${printed(value)}`);
}

/** A type that one predicate decides, and whose values are read as they are. */
export function simpleType<T>(
  expected: string,
  fits: (value: unknown) => value is T,
  write: (writer: MsgpackWriter, value: T, path: string) => void,
  refuseValue: typeof refuse = refuse,
): FieldType {
  return {
    fits,
    check(value, path) {
      if (!fits(value)) refuseValue(path, expected, value);
    },
    // `check` came first, so `value` is a T.
    write: (writer, value, path) => write(writer, value as T, path),
    read: (value) => (fits(value) ? value : undefined),
  };
}
