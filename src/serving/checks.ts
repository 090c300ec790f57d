/** Checks of arguments; all of them throw, so none belongs into a stream. */
import { printed } from '../metric/printed.js';

export { printed };

/**
 * @throws {TypeError} if `value` is not a number.
 * @throws {RangeError} if it is not a whole number from `least` to 2^53 - 1.
 */
export function assertWholeNumber(subject: string, value: unknown, least = 0): asserts value is number {
  wholeNumber(subject, value, least);
}

/** Returns what {@link assertWholeNumber} accepts, and throws what it throws. */
export function wholeNumber(subject: string, value: unknown, least = 0): number {
  const holds = (number: number): boolean => Number.isSafeInteger(number) && number >= least;
  return checkedNumber(subject, value, `a whole number of at least ${least}`, holds);
}

/** Returns a finite number of at least `least`. @throws {TypeError | RangeError} */
export function finiteNumber(subject: string, value: unknown, least: number): number {
  const holds = (number: number): boolean => Number.isFinite(number) && number >= least;
  return checkedNumber(subject, value, `a finite number of at least ${least}`, holds);
}

/** Returns a finite number above 0. @throws {TypeError | RangeError} */
export function positiveNumber(subject: string, value: unknown): number {
  const holds = (number: number): boolean => Number.isFinite(number) && number > 0;
  return checkedNumber(subject, value, 'a finite number above 0', holds);
}

/** Returns a number from 0 to 1. @throws {TypeError | RangeError} */
export function fraction(subject: string, value: unknown): number {
  return checkedNumber(subject, value, 'a number from 0 to 1', (number) => number >= 0 && number <= 1);
}

/**
 * Returns `value`.
 * @throws {TypeError} if it is not a number.
 * @throws {RangeError} unless it `holds`.
 */
export function checkedNumber(
  subject: string,
  value: unknown,
  expected: string,
  holds: (value: number) => boolean,
): number {
  const kind = typeof value === 'number' ? RangeError : TypeError;
  if (typeof value === 'number' && holds(value)) return value;
  throw new kind(`${subject}: expected ${expected}, got ${printed(value)}`);
}

/**
 * Returns one of `known`.
 * @throws {TypeError} if `value` is not a text.
 * @throws {RangeError} if it is another one.
 */
export function oneOf<T extends string>(subject: string, value: unknown, known: readonly T[]): T {
  const found = known.find((text) => text === value);
  if (found !== undefined) return found;
  const kind = typeof value === 'string' ? RangeError : TypeError;
  throw new kind(`${subject}: expected one of ${known.join(', ')}, got ${printed(value)}`);
}

/** @throws {TypeError} if `value` is not an object. */
export function assertObject(subject: string, value: unknown): asserts value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) {
    throw new TypeError(`${subject}: expected an object, got ${printed(value)}`);
  }
}

/** @throws {TypeError} naming the first key that is not `known`. */
export function assertKnownKeys(subject: string, value: object, known: readonly string[]): void {
  for (const key of Object.keys(value)) {
    if (!known.includes(key))
      throw new TypeError(`${subject}: expected one of ${known.join(', ')}, got ${printed(key)}`);
  }
}

/** @throws {TypeError} unless it `holds`. */
export function assertMember(subject: string, value: unknown, expected: string, holds: boolean): void {
  if (!holds) throw new TypeError(`${subject}: expected ${expected}, got ${printed(value)}`);
}
