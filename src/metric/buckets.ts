/** Bucket bounds: the 1-2-5 series of vLLM's token histograms, and the check every list of bounds passes. */
import { printed } from './printed.js';

/**
 * 1, 2, 5, 10, 20, 50, … up to and including `max`; `max` itself ends the list only if it is of the series.
 * @see vllm/v1/metrics/loggers.py `build_1_2_5_buckets`
 */
export function build125Buckets(max: number): number[] {
  const bounds: number[] = [];
  for (let decade = 1; decade <= max; decade *= 10) {
    for (const step of [1, 2, 5]) if (step * decade <= max) bounds.push(step * decade);
  }
  return bounds;
}

/**
 * Returns `bounds` as an own copy.
 * @throws {TypeError} if it is not an array of numbers.
 * @throws {RangeError} if it is empty, not finite, not positive or not strictly increasing.
 */
export function checkUpperBounds(subject: string, bounds: unknown): readonly number[] {
  if (!Array.isArray(bounds))
    throw new TypeError(`${subject}: expected an array of numbers, got ${printed(bounds)}`);
  if (bounds.length === 0) throw new RangeError(`${subject}: expected at least one bound, got none`);
  let last = 0;
  for (const bound of bounds as unknown[]) {
    if (typeof bound !== 'number') throw new TypeError(`${subject}: expected numbers, got ${printed(bound)}`);
    if (!(bound > 0 && bound < Infinity)) {
      throw new RangeError(`${subject}: expected finite positive bounds, got ${bound}`);
    }
    if (bound <= last) {
      throw new RangeError(`${subject}: expected strictly increasing bounds, got ${bound} after ${last}`);
    }
    last = bound;
  }
  return [...(bounds as number[])];
}
