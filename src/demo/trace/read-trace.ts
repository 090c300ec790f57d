import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { TraceParser } from './parse-trace.js';
import { keptTrace, largestOf, type Trace, type TraceRequest } from './trace.js';
import { textOf } from './trace-file.js';

/**
 * Reads a trace file, gzipped or not, to its end: what is wrong with it shows before a long run, not after it. Only
 * sums are kept, and {@link Trace.batches} reads the file again; a pipe can be read but once, so its requests are kept.
 * @throws {UsageError} if it cannot be read, or a line of it is malformed.
 */
export async function readTrace(file: string): Promise<Trace> {
  const parser = new TraceParser(basename(file));
  const kept: TraceRequest[] | undefined = isRegular(file) ? undefined : [];
  let numRequests = 0;
  let largestRequest = 0;
  let durationMs = 0;
  for await (const batch of batchesOf(file, parser)) {
    numRequests += batch.length;
    largestRequest = Math.max(largestRequest, largestOf(batch));
    durationMs = batch.at(-1)?.arrivalTimeMs ?? durationMs;
    if (kept !== undefined) for (const request of batch) kept.push(request);
  }
  const { format, blockSize } = parser;
  if (kept !== undefined) return keptTrace(format, blockSize, kept);
  const batches = () => batchesOf(file, new TraceParser(basename(file)));
  return { format, blockSize, numRequests, largestRequest, durationMs, batches };
}

async function* batchesOf(file: string, parser: TraceParser): AsyncGenerator<readonly TraceRequest[]> {
  for await (const text of textOf(file)) yield parser.push(text);
  yield parser.end();
}

function isRegular(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() === true;
}
