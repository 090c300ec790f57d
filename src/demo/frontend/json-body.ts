import { quoted } from '../command/usage-error.js';
import { ApiError, badField } from './api-error.js';

/** Four times the longest prompt that fits into an engine, as text. */
const MOST_BYTES = 2 ** 21;

/** A request's JSON object; each field is read with what it must be. `null` counts as absent, as with OpenAI. */
export class JsonBody {
  readonly #fields: Readonly<Record<string, unknown>>;

  constructor(fields: Readonly<Record<string, unknown>>) {
    this.#fields = fields;
  }

  /** @throws {ApiError} 415, 413 or 400 for what is not a JSON object of bearable size. */
  static async of(request: Request): Promise<JsonBody> {
    const type = request.headers.get('content-type') ?? '';
    // A page of another site can send a form or plain text to this machine, but JSON only if we allowed it.
    if (!/^application\/json\b/i.test(type))
      throw new ApiError(415, `content-type: expected application/json, got ${quoted(type)}`);
    const value = parsed(await textOf(request));
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return new JsonBody(value as Record<string, unknown>);
    throw new ApiError(400, 'body: expected a JSON object, got another JSON value');
  }

  /** @throws {ApiError} 400 if there is a value that does not hold. */
  optional<T>(name: string, expected: string, holds: (value: unknown) => value is T): T | undefined {
    const value = Object.hasOwn(this.#fields, name) ? this.#fields[name] : undefined;
    if (value === undefined || value === null) return undefined;
    if (holds(value)) return value;
    throw badField(name, expected, quoted(JSON.stringify(value)));
  }

  /** @throws {ApiError} 400 if there is none, or it does not hold. */
  required<T>(name: string, expected: string, holds: (value: unknown) => value is T): T {
    const value = this.optional(name, expected, holds);
    if (value !== undefined) return value;
    throw badField(name, expected, 'nothing');
  }

  whole(name: string, least: number, most: number): number | undefined {
    const holds = (value: unknown): value is number =>
      Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most;
    return this.optional(name, `a whole number from ${least} to ${most}`, holds);
  }

  number(name: string, least: number, most: number): number | undefined {
    const holds = (value: unknown): value is number =>
      typeof value === 'number' && value >= least && value <= most;
    return this.optional(name, `a number from ${least} to ${most}`, holds);
  }

  flag(name: string): boolean {
    return this.optional(name, 'true or false', isBoolean) ?? false;
  }

  object(name: string): JsonBody | undefined {
    const fields = this.optional(name, 'an object', isObject);
    return fields && new JsonBody(fields);
  }
}

export function isText(value: unknown): value is string {
  return typeof value === 'string';
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean';
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // What JSON.parse says differs from one Node to the next.
    throw new ApiError(400, `body: expected JSON, got ${quoted(text)}`);
  }
}

/** Counted as it comes: a length that is promised need not be true. */
async function textOf(request: Request): Promise<string> {
  const decoder = new TextDecoder();
  let numBytes = 0;
  let text = '';
  for await (const chunk of request.body ?? []) {
    numBytes += chunk.length;
    if (numBytes > MOST_BYTES) throw tooLarge();
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** What has not been read cannot be told from a next request, so the connection ends with the answer. */
function tooLarge(): ApiError {
  const headers = { connection: 'close' };
  return new ApiError(413, `body: expected at most ${MOST_BYTES} bytes, got more`, { headers });
}
