/**
 * Mooncake's traces: a JSON object a line, with a hash for each 512 tokens of the prompt.
 * @see https://github.com/kvcache-ai/Mooncake, FAST25-release/traces
 */

import { quoted } from '../command/usage-error.js';
import { type LineParser, TraceLineError, tokensOf } from './line-parser.js';

export const MOONCAKE_BLOCK_SIZE = 512;

function printed(value: unknown): string {
  return value === undefined ? 'nothing' : quoted(JSON.stringify(value));
}

function objectOf(line: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    // What JSON.parse says differs from one Node to the next.
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw new TraceLineError('a JSON object', quoted(line));
}

function sizeOf(request: Record<string, unknown>, name: string): number {
  return tokensOf(name, request[name], printed(request[name]));
}

function timestampOf({ timestamp }: Record<string, unknown>): number {
  if (typeof timestamp === 'number' && Number.isFinite(timestamp) && timestamp >= 0) return timestamp;
  throw new TraceLineError('timestamp as milliseconds of at least 0', printed(timestamp));
}

function hashesOf({ hash_ids }: Record<string, unknown>, numPromptTokens: number): (number | string)[] {
  const count = Math.ceil(numPromptTokens / MOONCAKE_BLOCK_SIZE);
  const holds =
    Array.isArray(hash_ids) &&
    hash_ids.length === count &&
    hash_ids.every((id) => typeof id === 'number' || typeof id === 'string');
  if (holds) return hash_ids as (number | string)[];
  const got = Array.isArray(hash_ids) ? `${hash_ids.length}: ${printed(hash_ids)}` : printed(hash_ids);
  throw new TraceLineError(`hash_ids as a list of ${count} (one a block of ${MOONCAKE_BLOCK_SIZE})`, got);
}

/** A parser for one file: arrival times count from its first request. */
export function mooncakeParser(): LineParser {
  let origin: number | undefined;
  return (line) => {
    const request = objectOf(line);
    const time = timestampOf(request);
    origin ??= time;
    const numPromptTokens = sizeOf(request, 'input_length');
    return {
      arrivalTimeMs: time - origin,
      numPromptTokens,
      numOutputTokens: sizeOf(request, 'output_length'),
      blockHashes: hashesOf(request, numPromptTokens),
    };
  };
}
