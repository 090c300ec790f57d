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

/** Always throws: a number or bigint is out of range, anything else of the wrong type. */
export function refuse(path: string, expected: string, value: unknown): never {
  const message = `${path}: expected ${expected}, got ${printed(value)}`;
  if (typeof value === 'number' || typeof value === 'bigint') throw new RangeError(message);
  throw new TypeError(message);
}

/** A type that one predicate decides, and whose values are read as they are. */
export function simpleType<T>(
  expected: string,
  fits: (value: unknown) => value is T,
  write: (writer: MsgpackWriter, value: T, path: string) => void,
): FieldType {
  return {
    fits,
    check(value, path) {
      if (!fits(value)) refuse(path, expected, value);
    },
    // `check` came first, so `value` is a T.
    write: (writer, value, path) => write(writer, value as T, path),
    read: (value) => (fits(value) ? value : undefined),
  };
}
