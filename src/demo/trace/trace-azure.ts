/**
 * Azure's LLM inference traces: a header, then a line a request with its time in UTC, prompt tokens and generated tokens.
 * @see https://github.com/Azure/AzurePublicDataset/blob/master/AzureLLMInferenceDataset2023.md
 */

import { quoted } from '../command/usage-error.js';
import { type LineParser, TraceLineError, tokensOf } from './line-parser.js';

export const AZURE_HEADER = 'TIMESTAMP,ContextTokens,GeneratedTokens';

/** Seven digits of a second in 2023's files; six and an offset in 2024's. */
const TIMESTAMP = /^(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)(\.\d{1,9})?(?:\+00:00)?$/;

/** Milliseconds since 1970. @throws {TraceLineError} for what is not a time, or not on the calendar. */
function timeOf(text: string): number {
  const match = TIMESTAMP.exec(text);
  const expected = 'TIMESTAMP as 2023-11-16 18:15:46.6805900';
  if (match === null) throw new TraceLineError(expected, quoted(text));
  const [, year, month, day, hour, minute, second, fraction] = match;
  const iso = `${year}-${month}-${day}T${hour}:${minute}:${second}.000Z`;
  const time = Date.parse(iso);
  // Date takes 30 February for 1 March, and a time that is none for NaN.
  if (Number.isNaN(time) || new Date(time).toISOString() !== iso)
    throw new TraceLineError(expected, quoted(text));
  return time + Number(fraction ?? 0) * 1000;
}

/** Digits only: `Number` takes '' for 0 and '0x10' for 16. */
function sizeOf(name: string, text: string): number {
  return tokensOf(name, /^\d+$/.test(text) ? Number(text) : undefined, quoted(text));
}

/** A parser for one file: arrival times count from its first request. */
export function azureParser(): LineParser {
  let origin: number | undefined;
  return (line) => {
    const fields = line.split(',');
    if (fields.length !== 3) throw new TraceLineError(`the 3 fields ${AZURE_HEADER}`, quoted(line));
    const [timestamp, context, generated] = fields as [string, string, string];
    const time = timeOf(timestamp);
    origin ??= time;
    return {
      arrivalTimeMs: time - origin,
      numPromptTokens: sizeOf('ContextTokens', context),
      numOutputTokens: sizeOf('GeneratedTokens', generated),
    };
  };
}
