/** What is wrong with a line; its reader adds file and line number. */
import type { TraceRequest } from './trace.js';

export class TraceLineError extends Error {
  override readonly name = 'TraceLineError';

  readonly expected: string;
  readonly got: string;

  constructor(expected: string, got: string) {
    super(`expected ${expected}, got ${got}`);
    this.expected = expected;
    this.got = got;
  }
}

/** Reads one line. @throws {TraceLineError} */
export type LineParser = (line: string) => TraceRequest;

/** Beyond this a size is a slip of the pen, and would never be served. */
const MAX_TOKENS = 10_000_000;

/** Returns a size in tokens; `got` is how the file spells it. @throws {TraceLineError} */
export function tokensOf(name: string, value: unknown, got: string): number {
  const holds = Number.isSafeInteger(value) && (value as number) >= 1 && (value as number) <= MAX_TOKENS;
  if (holds) return value as number;
  throw new TraceLineError(`${name} as a whole number from 1 to ${MAX_TOKENS}`, got);
}
