/** Where the spelling of a number turns from one form to another. */
import { expect, it } from 'vitest';
import { formatFloat } from '../../../src/prom/number-format.js';

it.each([
  [-1e6, '-1000000.0'],
  [-1000000.5, '-1000000.5'],
  [999999, '999999.0'],
  [999999.5, '999999.5'],
  [1e6, '1e+06'],
  [1000000.5, '1.0000005e+06'],
  [0.0001, '0.0001'],
  [-0.0001, '-0.0001'],
  [0.00009999, '9.999e-05'],
  [-0.00009999, '-9.999e-05'],
  [-9999999999999998, '-9999999999999998.0'],
  [-1e16, '-1e+16'],
  [1e100, '1e+100'],
  [-1e-100, '-1e-100'],
  [-0, '-0.0'],
])('%d is spelled %s', (value, text) => {
  expect(formatFloat(value)).toBe(text);
});
