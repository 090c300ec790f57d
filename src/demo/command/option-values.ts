/** How the values of options are read: each gives the value, or says what was expected. */
import { quoted, UsageError } from './usage-error.js';

/** Reads an option's text. @throws {UsageError} naming the option. */
export type ReadValue<T> = (option: string, text: string) => T;

/** `NaN` for what is no plain decimal number: `Number` takes '' for 0 and '0x10' for 16. */
function numberOf(text: string): number {
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
}

function checked(expected: string, holds: (value: number) => boolean): ReadValue<number> {
  return (option, text) => {
    const value = numberOf(text);
    if (holds(value)) return value;
    throw new UsageError(option, expected, quoted(text));
  };
}

export function whole(min: number, max: number = Number.MAX_SAFE_INTEGER): ReadValue<number> {
  const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
  const expected = min === Number.MIN_SAFE_INTEGER ? 'a whole number' : `a whole number ${range}`;
  return checked(expected, (value) => Number.isSafeInteger(value) && value >= min && value <= max);
}

export const share: ReadValue<number> = checked('a number from 0 to 1', (value) => value >= 0 && value <= 1);

export function above0(max: number): ReadValue<number> {
  return checked(`a number above 0, at most ${max}`, (value) => value > 0 && value <= max);
}

export const text: ReadValue<string> = (option, value) => {
  if (value !== '') return value;
  throw new UsageError(option, 'a value', 'none');
};

export const MAX_PORT = 65_535;

/** As zeromq has them; the port cannot be left to it, for the engines have to know it. */
export const address: ReadValue<string> = (option, value) => {
  const [, port] = /^tcp:\/\/.+:([1-9]\d{0,4})$/.exec(value) ?? [];
  if (port === undefined ? /^ipc:\/\/./.test(value) : Number(port) <= MAX_PORT) return value;
  throw new UsageError(option, 'tcp://host:port or ipc://path', quoted(value));
};

export function oneOf<T extends string>(allowed: readonly T[]): ReadValue<T> {
  return (option, value) => {
    const known = allowed.find((name) => name === value);
    if (known !== undefined) return known;
    throw new UsageError(option, `one of ${allowed.join(', ')}`, quoted(value));
  };
}
