import { quoted, UsageError } from '../command/usage-error.js';
import { type LineParser, type Trace, TraceLineError, type TraceRequest } from './trace.js';
import { AZURE_HEADER, azureParser } from './trace-azure.js';
import { MOONCAKE_BLOCK_SIZE, mooncakeParser } from './trace-mooncake.js';

/** KV blocks of vLLM's default size, where a trace has no blocks of its own. */
const DEFAULT_BLOCK_SIZE = 16;

/** Lines without what ends them; blank ones at the end are none. */
function linesOf(text: string): string[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  while (lines.length > 0 && lines.at(-1)!.trim() === '') lines.pop();
  return lines;
}

function subject(name: string, index: number): string {
  return `${name} line ${index + 1}`;
}

/** The line as a request that is not before the one above it. */
function requestOf(line: string, previous: TraceRequest | undefined, parse: LineParser): TraceRequest {
  const request = parse(line);
  if (request.arrivalTimeMs >= (previous?.arrivalTimeMs ?? 0)) return request;
  throw new TraceLineError('a time that is not before the line above', quoted(line));
}

function requestsOf(
  name: string,
  lines: readonly string[],
  first: number,
  parse: LineParser,
): TraceRequest[] {
  const requests: TraceRequest[] = [];
  for (let i = first; i < lines.length; i++) {
    try {
      requests.push(requestOf(lines[i]!, requests.at(-1), parse));
    } catch (error) {
      if (!(error instanceof TraceLineError)) throw error;
      throw new UsageError(subject(name, i), error.expected, error.got);
    }
  }
  if (requests.length === 0) throw new UsageError(name, 'at least one request', 'none');
  return requests;
}

/**
 * Reads a trace; its format shows in its first line.
 * @throws {UsageError} naming `name` and the line.
 */
export function parseTrace(name: string, text: string): Trace {
  const lines = linesOf(text);
  const head = lines[0]?.trim() ?? '';
  if (head === AZURE_HEADER) {
    const requests = requestsOf(name, lines, 1, azureParser());
    return { format: 'azure', blockSize: DEFAULT_BLOCK_SIZE, requests };
  }
  if (head.startsWith('{')) {
    const requests = requestsOf(name, lines, 0, mooncakeParser());
    return { format: 'mooncake', blockSize: MOONCAKE_BLOCK_SIZE, requests };
  }
  const expected = `Azure's header ${AZURE_HEADER} or a JSON object of a Mooncake trace`;
  throw new UsageError(subject(name, 0), expected, head === '' ? 'nothing' : quoted(head));
}
