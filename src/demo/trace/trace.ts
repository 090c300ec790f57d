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

export type TraceFormat = 'azure' | 'mooncake';

/** A trace that was read once, to its end, and found to hold. */
export interface Trace {
  readonly format: TraceFormat;
  /** Tokens that one of the `blockHashes` stands for; 16 where there are none. */
  readonly blockSize: number;
  /** At least one. */
  readonly numRequests: number;
  /** Prompt and output of the request that has most, in tokens. */
  readonly largestRequest: number;
  /** From the first arrival to the last, in milliseconds. */
  readonly durationMs: number;
  /** Reads the requests in order of arrival, a piece of the file at a time. */
  batches(): AsyncIterable<readonly TraceRequest[]>;
}

/** A trace in memory. */
export function keptTrace(format: TraceFormat, blockSize: number, requests: readonly TraceRequest[]): Trace {
  return {
    format,
    blockSize,
    numRequests: requests.length,
    largestRequest: largestOf(requests),
    durationMs: requests.at(-1)?.arrivalTimeMs ?? 0,
    async *batches() {
      yield requests;
    },
  };
}

/** Prompt and output of the largest request, in tokens; 0 of none. */
export function largestOf(requests: readonly TraceRequest[]): number {
  let most = 0;
  for (const { numPromptTokens, numOutputTokens } of requests)
    most = Math.max(most, numPromptTokens + numOutputTokens);
  return most;
}
