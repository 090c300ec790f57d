import { parseArgs } from 'node:util';

export interface SoakOptions {
  readonly requests: number;
  /** Stop after so many seconds, whatever `requests` says. */
  readonly seconds: number;
  readonly seed: number;
}

function wholeNumber(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1)
    throw new Error(`--${name}: expected a whole number, got ${text}`);
  return value;
}

/** @throws {Error} on an option that is not one, or has a bad value. */
export function parseOptions(args: readonly string[]): SoakOptions {
  const { values } = parseArgs({
    args: [...args],
    options: { requests: { type: 'string' }, seconds: { type: 'string' }, seed: { type: 'string' } },
  });
  const { requests, seconds, seed = '1' } = values;
  return {
    requests: wholeNumber('requests', requests ?? (seconds === undefined ? '10000000' : '1000000000')),
    seconds: seconds === undefined ? Number.POSITIVE_INFINITY : wholeNumber('seconds', seconds),
    seed: wholeNumber('seed', seed),
  };
}
