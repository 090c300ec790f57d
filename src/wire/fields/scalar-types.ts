import { type FieldType, simpleType } from './field-type.js';

const UINT_32_END = 2 ** 32;
const MAX_FLOAT_32 = 3.4028234663852886e38;

function wholeFrom(least: number, end: number): (value: unknown) => value is number {
  return (value): value is number =>
    Number.isInteger(value) && (value as number) >= least && (value as number) < end;
}

function isFloat32(value: unknown): value is number {
  return typeof value === 'number' && Math.abs(value) <= MAX_FLOAT_32;
}

function isFinite64(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean';
}

/** A bigint of 64 bits, or a number whose bits are all known. */
function isInt64(value: unknown): value is number | bigint {
  if (typeof value === 'bigint') return BigInt.asIntN(64, value) === value;
  return Number.isSafeInteger(value);
}

/** Upstream's Rust reads counts and ids as `u32`. */
export const UINT: FieldType = simpleType(
  'a whole number from 0 to 2^32 - 1',
  wholeFrom(0, UINT_32_END),
  (writer, value) => writer.integer(value),
);

export const INT: FieldType = simpleType(
  'a whole number of 32 bits',
  wholeFrom(-(2 ** 31), 2 ** 31),
  (writer, value) => writer.integer(value),
);

export const INT_64: FieldType = simpleType('a whole number of 64 bits', isInt64, (writer, value) =>
  writer.integer(value),
);

/** A count that may be larger, as of tokens in a cache. */
export const COUNT: FieldType = simpleType(
  'a whole number of at least 0',
  wholeFrom(0, Number.MAX_SAFE_INTEGER),
  (writer, value) => writer.integer(value),
);

export const FLOAT_32: FieldType = simpleType('a finite number of 32 bits', isFloat32, (writer, value) =>
  writer.float32(value),
);

export const FLOAT_64: FieldType = simpleType('a finite number', isFinite64, (writer, value) =>
  writer.float64(value),
);

export const STRING: FieldType = simpleType('a string', isText, (writer, value) => writer.text(value));

export const FLAG: FieldType = simpleType('true or false', isBoolean, (writer, value) =>
  writer.boolean(value),
);
