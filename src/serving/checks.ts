/** Checks of arguments; all of them throw, so none belongs into a stream. */
import { printed } from '../metric/printed.js';

export { printed };

/**
 * @throws {TypeError} if `value` is not a number.
 * @throws {RangeError} if it is not a whole number from `least` to 2^53 - 1.
 */
export function assertWholeNumber(subject: string, value: unknown, least = 0): asserts value is number {
  if (typeof value !== 'number') {
    throw new TypeError(`${subject}: expected a whole number of at least ${least}, got ${printed(value)}`);
  }
  if (!Number.isSafeInteger(value) || value < least) {
    throw new RangeError(`${subject}: expected a whole number of at least ${least}, got ${value}`);
  }
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
