import { quoted, UsageError } from '../command/usage-error.js';
import { type LineParser, TraceLineError } from './line-parser.js';
import { LineSplitter, MAX_LINE_LENGTH } from './line-splitter.js';
import type { TraceFormat, TraceRequest } from './trace.js';
import { AZURE_HEADER, azureParser } from './trace-azure.js';
import { MOONCAKE_BLOCK_SIZE, mooncakeParser } from './trace-mooncake.js';

/** KV blocks of vLLM's default size, where a trace has no blocks of its own. */
const DEFAULT_BLOCK_SIZE = 16;

/**
 * Reads a trace that comes in pieces of text; its format shows in its first line. What it throws is a
 * {@link UsageError} that names `name` and the line.
 */
export class TraceParser {
  format: TraceFormat = 'azure';
  blockSize: number = DEFAULT_BLOCK_SIZE;
  readonly #name: string;
  readonly #splitter: LineSplitter = new LineSplitter();
  #parse: LineParser | undefined = undefined;
  #numLines = 0;
  #numRequests = 0;
  #lastArrivalMs = 0;

  constructor(name: string) {
    this.#name = name;
  }

  /** The requests whose lines `text` completes. */
  push(text: string): TraceRequest[] {
    return this.#requestsOf(() => this.#splitter.push(text));
  }

  /** What is left, once all text was pushed. */
  end(): TraceRequest[] {
    const requests = this.#requestsOf(() => this.#splitter.end());
    if (this.#parse === undefined) this.#begin('');
    if (this.#numRequests === 0) throw new UsageError(this.#name, 'at least one request', 'none');
    return requests;
  }

  #requestsOf(split: () => string[]): TraceRequest[] {
    try {
      const requests: TraceRequest[] = [];
      for (const line of split()) this.#read(line, requests);
      this.#numRequests += requests.length;
      return requests;
    } catch (error) {
      throw this.#located(error);
    }
  }

  #read(line: string, requests: TraceRequest[]): void {
    if (this.#parse !== undefined || !this.#begin(line)) requests.push(this.#requestOf(line));
    this.#numLines++;
  }

  /** Chooses the parser by the first line; true if that is a header. */
  #begin(line: string): boolean {
    const head = line.trim();
    if (head === AZURE_HEADER) {
      this.#parse = azureParser();
      return true;
    }
    const expected = `Azure's header ${AZURE_HEADER} or a JSON object of a Mooncake trace`;
    if (!head.startsWith('{'))
      throw new UsageError(this.#place, expected, head === '' ? 'nothing' : quoted(head));
    this.format = 'mooncake';
    this.blockSize = MOONCAKE_BLOCK_SIZE;
    this.#parse = mooncakeParser();
    return false;
  }

  /** The line as a request that is not before the one above it. */
  #requestOf(line: string): TraceRequest {
    const request = this.#parse!(line); // chosen by the first line
    if (request.arrivalTimeMs < this.#lastArrivalMs)
      throw new TraceLineError('a time that is not before the line above', quoted(line));
    this.#lastArrivalMs = request.arrivalTimeMs;
    return request;
  }

  get #place(): string {
    return `${this.#name} line ${this.#numLines + 1}`;
  }

  #located(error: unknown): unknown {
    if (error instanceof TraceLineError) return new UsageError(this.#place, error.expected, error.got);
    if (error instanceof RangeError)
      return new UsageError(this.#place, `at most ${MAX_LINE_LENGTH} characters`, 'a longer line');
    return error;
  }
}
