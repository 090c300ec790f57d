/** What a trace file says, whatever its format. */

/** One request of a trace; sizes in tokens. */
export interface TraceRequest {
  /** Milliseconds after the first request. */
  readonly arrivalTimeMs: number;
  readonly numPromptTokens: number;
  readonly numOutputTokens: number;
  /** One for each block of the prompt, standing for the prefix up to its end; Mooncake's traces have them. */
  readonly blockHashes?: readonly (number | string)[];
}

export interface Trace {
  readonly format: 'azure' | 'mooncake';
  /** Tokens that one of the `blockHashes` stands for; 16 where there are none. */
  readonly blockSize: number;
  /** In order of arrival; at least one. */
  readonly requests: readonly TraceRequest[];
}

/** What is wrong with a line; its reader adds file and line number. */
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
