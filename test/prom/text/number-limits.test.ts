/** Where the spelling of a number turns from one form to another. */
import { expect, it } from 'vitest';
import { formatFloat, writeFloat } from '../../../src/prom/text/number-format.js';

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

it.each([7, 0.5])('%d in bytes leaves those around it alone', (value) => {
  const bytes = new Uint8Array(6).fill(120);
  expect(writeFloat(bytes, 1, value)).toBe(3);
  expect(String.fromCharCode(...bytes)).toBe(`x${formatFloat(value)}xx`);
});
