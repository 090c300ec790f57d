import type { MsgpackWriter } from '../msgpack/msgpack-writer.js';
import { type FieldType, refuseNumber, simpleType } from './field-type.js';

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

function numberType<T extends number | bigint>(
  expected: string,
  fits: (value: unknown) => value is T,
  write: (writer: MsgpackWriter, value: T) => void,
): FieldType {
  return simpleType(expected, fits, write, refuseNumber);
}

function wholeType(expected: string, least: number, end: number): FieldType {
  return numberType(expected, wholeFrom(least, end), (writer, value) => writer.integer(value));
}

/** Upstream's Rust reads counts and ids as `u32`. */
export const UINT: FieldType = wholeType('a whole number from 0 to 2^32 - 1', 0, UINT_32_END);

export const INT: FieldType = wholeType('a whole number of 32 bits', -(2 ** 31), 2 ** 31);

/** A count that may be larger, as of tokens in a cache. */
export const COUNT: FieldType = wholeType('a whole number of at least 0', 0, Number.MAX_SAFE_INTEGER);

export const INT_64: FieldType = numberType('a whole number of 64 bits', isInt64, (writer, value) =>
  writer.integer(value),
);

export const FLOAT_32: FieldType = numberType('a finite number of 32 bits', isFloat32, (writer, value) =>
  writer.float32(value),
);

export const FLOAT_64: FieldType = numberType('a finite number', isFinite64, (writer, value) =>
  writer.float64(value),
);

export const STRING: FieldType = simpleType('a string', isText, (writer, value) => writer.text(value));

export const FLAG: FieldType = simpleType('true or false', isBoolean, (writer, value) =>
  writer.boolean(value),
);
