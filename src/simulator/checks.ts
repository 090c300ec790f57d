/** Returns a whole number of at least `min`. @throws {RangeError} else, `subject: expected …, got …`. */
export function wholeNumber(subject: string, value: unknown, min: number): number {
  if (Number.isSafeInteger(value) && (value as number) >= min) return value as number;
  throw new RangeError(`${subject}: expected a whole number of at least ${min}, got ${String(value)}`);
}

/** Returns a finite number of at least `min`. @throws {RangeError} else. */
export function finiteNumber(subject: string, value: unknown, min: number): number {
  if (Number.isFinite(value) && (value as number) >= min) return value as number;
  throw new RangeError(`${subject}: expected a finite number of at least ${min}, got ${String(value)}`);
}

/** Returns a number from 0 to 1. @throws {RangeError} else. */
export function fraction(subject: string, value: unknown): number {
  if (typeof value === 'number' && value >= 0 && value <= 1) return value;
  throw new RangeError(`${subject}: expected a number from 0 to 1, got ${String(value)}`);
}

/** Returns a number above 0. @throws {RangeError} else. */
export function positiveNumber(subject: string, value: unknown): number {
  if (Number.isFinite(value) && (value as number) > 0) return value as number;
  throw new RangeError(`${subject}: expected a finite number above 0, got ${String(value)}`);
}

/** Returns one of `allowed`. @throws {RangeError} else. */
export function oneOf<T extends string>(subject: string, value: unknown, allowed: readonly T[]): T {
  if ((allowed as readonly unknown[]).includes(value)) return value as T;
  throw new RangeError(`${subject}: expected one of ${allowed.join(', ')}, got ${String(value)}`);
}

/** The indexes that `engines` stands for. @throws {TypeError|RangeError} unless distinct and at least one. */
export function engineIndexes(engines: number | readonly number[]): readonly number[] {
  if (typeof engines === 'number')
    return Array.from({ length: wholeNumber('engines', engines, 1) }, (_, index) => index);
  if (!Array.isArray(engines) || engines.length === 0)
    throw new TypeError(`engines: expected a number or a list of at least one index, got ${String(engines)}`);
  const indexes = engines.map((index) => wholeNumber('engines', index, 0));
  if (new Set(indexes).size === indexes.length) return indexes;
  throw new RangeError(`engines: expected distinct indexes, got ${indexes.join(', ')}`);
}
