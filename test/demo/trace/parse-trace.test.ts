import { expect, it } from 'vitest';
import { TraceParser } from '../../../src/demo/trace/parse-trace.js';
import type { TraceRequest } from '../../../src/demo/trace/trace.js';

/** Parses text that comes in pieces of `size` characters. */
function parseTrace(name: string, text: string, size = text.length + 1) {
  const parser = new TraceParser(name);
  const requests: TraceRequest[] = [];
  for (let i = 0; i < text.length; i += size) requests.push(...parser.push(text.slice(i, i + size)));
  requests.push(...parser.end());
  return { format: parser.format, blockSize: parser.blockSize, requests };
}

const HEADER = 'TIMESTAMP,ContextTokens,GeneratedTokens';
const FIRST = '2023-11-16 18:15:46.6805900,374,44';

function azure(...lines: string[]): string {
  return [HEADER, ...lines].join('\r\n');
}

function mooncake(partial: object): string {
  return JSON.stringify({ timestamp: 0, input_length: 600, output_length: 5, hash_ids: [0, 1], ...partial });
}

it('reads the Azure format, with arrivals counted from the first request', () => {
  const trace = parseTrace('a.csv', `${azure(FIRST, '2023-11-16 18:15:50.9951690,396,109')}\r\n`);
  expect(trace).toMatchObject({ format: 'azure', blockSize: 16 });
  expect(trace.requests[0]).toEqual({ arrivalTimeMs: 0, numPromptTokens: 374, numOutputTokens: 44 });
  expect(trace.requests[1]!.arrivalTimeMs).toBeCloseTo(4314.579, 3);
});

it('reads times across midnight, without a fraction, and with the offset of the 2024 files', () => {
  const lines = [
    '2023-12-31 23:59:59,1,1',
    '2024-01-01 00:00:00.500000+00:00,1,1',
    '2024-02-29 00:00:00,1,1',
  ];
  const [, second, third] = parseTrace('a.csv', azure(...lines)).requests;
  expect(second!.arrivalTimeMs).toBe(1500);
  expect(third!.arrivalTimeMs).toBe(1000 + 59 * 86_400_000);
});

it('reads the Mooncake format with its hashes', () => {
  const trace = parseTrace('m', `${mooncake({ timestamp: 20 })}\n${mooncake({ timestamp: 27 })}\n\n`);
  expect(trace).toMatchObject({ format: 'mooncake', blockSize: 512 });
  expect(trace.requests[1]).toEqual({
    arrivalTimeMs: 7,
    numPromptTokens: 600,
    numOutputTokens: 5,
    blockHashes: [0, 1],
  });
});

it.each([
  ['an empty file', '', /^t line 1: expected Azure's header .* or a JSON object .*, got nothing$/],
  ['another header', 'time,in,out\n', /^t line 1: expected Azure's header .*, got "time,in,out"$/],
  ['a header alone', azure(), /^t: expected at least one request, got none$/],
  ['a field too few', azure(FIRST, '2023-11-16 18:15:47,5'), /^t line 3: expected the 3 fields .*47,5"$/],
  ['a field too many', azure(`${FIRST},1`), /^t line 2: expected the 3 fields/],
  ['a blank line inside', azure('', FIRST), /^t line 2: expected the 3 fields .*, got ""$/],
  ['a time that is none', azure('yesterday,1,1'), /^t line 2: expected TIMESTAMP as .*, got "yesterday"$/],
  ['a day that is none', azure('2023-02-30 00:00:00,1,1'), /^t line 2: expected TIMESTAMP/],
  ['an hour that is none', azure('2023-02-03 24:00:00,1,1'), /^t line 2: expected TIMESTAMP/],
  [
    'a time that goes back',
    azure(FIRST, '2023-11-16 18:15:46,1,1'),
    /^t line 3: expected a time .*line above/,
  ],
  ['no prompt', azure('2023-11-16 18:15:46,0,1'), /^t line 2: expected ContextTokens as .*, got "0"$/],
  ['a negative size', azure('2023-11-16 18:15:46,1,-1'), /^t line 2: expected GeneratedTokens .*, got "-1"$/],
  ['a fraction', azure('2023-11-16 18:15:46,1.5,1'), /^t line 2: expected ContextTokens .*, got "1.5"$/],
  ['no size', azure('2023-11-16 18:15:46,1,'), /^t line 2: expected GeneratedTokens .*, got ""$/],
  ['an absurd size', azure('2023-11-16 18:15:46,1,99999999999'), /^t line 2: expected GeneratedTokens/],
  ['broken JSON', `${mooncake({})}\n{"timestamp": 1,`, /^t line 2: expected a JSON object, got "{/],
  ['a JSON list', `${mooncake({})}\n[1]`, /^t line 2: expected a JSON object, got "\[1\]"$/],
  ['no timestamp', mooncake({ timestamp: undefined }), /^t line 1: expected timestamp as .*, got nothing$/],
  ['a timestamp in words', mooncake({ timestamp: '0' }), /^t line 1: expected timestamp .*, got "\\"0\\""$/],
  [
    'a timestamp that goes back',
    `${mooncake({ timestamp: 2 })}\n${mooncake({ timestamp: 1 })}`,
    /^t line 2: expected a time/,
  ],
  ['no output', mooncake({ output_length: 0 }), /^t line 1: expected output_length as .*, got "0"$/],
  ['no input length', mooncake({ input_length: null }), /^t line 1: expected input_length .*, got "null"$/],
  ['too few hashes', mooncake({ hash_ids: [1] }), /^t line 1: expected hash_ids as a list of 2 .*, got 1: /],
  ['hashes that are none', mooncake({ hash_ids: [1, {}] }), /^t line 1: expected hash_ids/],
  ['no hashes', mooncake({ hash_ids: undefined }), /^t line 1: expected hash_ids .*, got nothing$/],
])('names the line of %s', (_case, text, message) => {
  expect(() => parseTrace('t', text)).toThrow(message);
  for (const size of [1, 2, 7, 64]) expect(() => parseTrace('t', text, size)).toThrow(message);
});

it.each([1, 2, 3, 5, 8, 100])('reads the same requests from pieces of %i characters', (size) => {
  const text = `${azure(FIRST, '2023-11-16 18:15:50.9951690,396,109')}\r\n\r\n \n`;
  expect(parseTrace('a.csv', text, size)).toEqual(parseTrace('a.csv', text));
  const lines = `${mooncake({ timestamp: 20 })}\n${mooncake({ timestamp: 27 })}\n\n`;
  expect(parseTrace('m', lines, size)).toEqual(parseTrace('m', lines));
});

it.each([
  ['the first', 1, ''],
  ['a later', 3, `${azure(FIRST)}\n`],
])('gives up on %s line that does not end', (_case, line, before) => {
  const parser = new TraceParser('t');
  parser.push(before);
  const endless = () => {
    for (;;) parser.push('\0'.repeat(65_536));
  };
  expect(endless).toThrow(`t line ${line}: expected at most 1048576 characters, got a longer line`);
});

it('keeps a message on one short line whatever the file holds', () => {
  let message = '';
  try {
    parseTrace('t', azure(`\u0000\t${'x'.repeat(10_000)}`));
  } catch (error) {
    message = (error as Error).message;
  }
  expect(message).toMatch(/^t line 2: expected the 3 fields [^\n\t\0]*…"$/);
  expect(message.length).toBeLessThan(200);
});
