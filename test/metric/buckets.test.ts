import { describe, expect, it } from 'vitest';
import { build125Buckets, checkUpperBounds } from '../../src/metric/buckets.js';

describe('build125Buckets', () => {
  it.each([
    [1, [1]],
    [2, [1, 2]],
    [4, [1, 2]],
    [5, [1, 2, 5]],
    [10, [1, 2, 5, 10]],
    [99, [1, 2, 5, 10, 20, 50]],
    [1000, [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]],
    [0.5, []],
  ])('up to %d', (max, bounds) => {
    expect(build125Buckets(max)).toEqual(bounds);
  });

  it('ends below a maximum that is not of the series', () => {
    expect(build125Buckets(8192).at(-1)).toBe(5000);
  });

  it('ends with the largest safe integer too', () => {
    const bounds = build125Buckets(Number.MAX_SAFE_INTEGER);
    expect(checkUpperBounds('bounds', bounds)).toEqual(bounds);
    expect(bounds.at(-1)).toBe(5e15);
  });
});

describe('checkUpperBounds', () => {
  it('gives a copy', () => {
    const given = [0.1, 1, 5];
    const checked = checkUpperBounds('b', given);
    given.push(2);
    expect(checked).toEqual([0.1, 1, 5]);
  });

  it.each([
    ['no array', 'abc', TypeError, 'b: expected an array of numbers, got "abc"'],
    ['null', null, TypeError, 'b: expected an array of numbers, got null'],
    ['a typed array', new Float64Array([1, 2]), TypeError, 'b: expected an array of numbers, got 1,2'],
    ['a bound of text', [1, '2'], TypeError, 'b: expected numbers, got "2"'],
    ['a hole', Object.assign([1], { 2: 3 }), TypeError, 'b: expected numbers, got undefined'],
    ['no bound', [], RangeError, 'b: expected at least one bound, got none'],
    ['zero', [0, 1], RangeError, 'b: expected finite positive bounds, got 0'],
    ['a negative bound', [-1], RangeError, 'b: expected finite positive bounds, got -1'],
    ['NaN', [Number.NaN], RangeError, 'b: expected finite positive bounds, got NaN'],
    ['infinity', [1, Infinity], RangeError, 'b: expected finite positive bounds, got Infinity'],
    ['equal bounds', [1, 1], RangeError, 'b: expected strictly increasing bounds, got 1 after 1'],
    ['falling bounds', [1, 3, 2], RangeError, 'b: expected strictly increasing bounds, got 2 after 3'],
  ])('throws on %s', (_, bounds, type, message) => {
    expect(() => checkUpperBounds('b', bounds)).toThrow(type);
    expect(() => checkUpperBounds('b', bounds)).toThrow(message);
  });

  it('names what cannot be printed', () => {
    expect(() => checkUpperBounds('b', Object.create(null))).toThrow(/^b: expected an array of numbers/);
    expect(() => checkUpperBounds('b', [Symbol('s')])).toThrow('b: expected numbers, got Symbol(s)');
  });
});
