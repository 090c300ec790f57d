/** Checks of arguments; all of them throw, so none belongs into a stream. */

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

/** A value for an error message, whatever it is. */
export function printed(value: unknown): string {
  try {
    return typeof value === 'string' ? JSON.stringify(value) : String(value);
  } catch {
    return typeof value;
  }
}
