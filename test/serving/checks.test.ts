/** The check kit: which number or text holds, and what the error says of one that does not. */
import { describe, expect, it } from 'vitest';
import { finiteNumber, fraction, oneOf, positiveNumber, wholeNumber } from '../../src/serving/checks.js';

const least = (check: (subject: string, value: unknown, least: number) => number) => (value: unknown) =>
  check('subject', value, 2);

const CHECKS: readonly [
  expected: string,
  check: (value: unknown) => unknown,
  good: readonly unknown[],
  bad: readonly unknown[],
][] = [
  ['a whole number of at least 2', least(wholeNumber), [2, 3, 2 ** 53 - 1], [1, 2.5, 2 ** 53, Infinity, NaN]],
  ['a finite number of at least 2', least(finiteNumber), [2, 2.5, 1e300], [1.9, -Infinity, Infinity, NaN]],
  [
    'a finite number above 0',
    (value) => positiveNumber('subject', value),
    [Number.MIN_VALUE, 1e300],
    [0, -0, -1, Infinity, -Infinity, NaN],
  ],
  [
    'a number from 0 to 1',
    (value) => fraction('subject', value),
    [0, 0.5, 1],
    [-Number.MIN_VALUE, 1.1, Infinity, -Infinity, NaN],
  ],
];

describe.each(CHECKS)('%s', (expected, check, good, bad) => {
  it.each(good)('holds for %s', (value) => {
    expect(check(value)).toBe(value);
  });

  it.each(bad)('does not hold for %s', (value) => {
    expect(() => check(value)).toThrow(new RangeError(`subject: expected ${expected}, got ${value}`));
  });

  it.each([
    ['1', '"1"'],
    [null, 'null'],
    [undefined, 'undefined'],
    [1n, '1'],
  ])('is no %o', (value, text) => {
    expect(() => check(value)).toThrow(TypeError);
    expect(() => check(value)).toThrow(`subject: expected ${expected}, got ${text}`);
  });
});

describe('one of several texts', () => {
  const check = (value: unknown) => oneOf('subject', value, ['a', 'b']);

  it('is given back', () => {
    expect(['a', 'b'].map(check)).toEqual(['a', 'b']);
  });

  it('is none of the others', () => {
    expect(() => check('c')).toThrow(new RangeError('subject: expected one of a, b, got "c"'));
    expect(() => check(1)).toThrow(TypeError);
    expect(() => check(1)).toThrow('subject: expected one of a, b, got 1');
  });
});
