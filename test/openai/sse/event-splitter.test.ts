import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EventReader } from '../../../src/openai/sse/event-reader.js';
import { EventSplitter } from '../../../src/openai/sse/event-splitter.js';

const LONGEST = 60;

interface Found {
  readonly events: string[];
  readonly tooLong: number;
  readonly bytes: Uint8Array;
}

/** What is read of bytes that come in these pieces. */
function readAll(pieces: readonly Uint8Array[], longest: number = LONGEST): Found {
  const events: string[] = [];
  const passed: Uint8Array[] = [];
  let tooLong = 0;
  const reader = new EventReader((name, data) => events.push(`${name ?? ''}|${data}`));
  const splitter = new EventSplitter(
    {
      event(bytes) {
        passed.push(bytes.slice());
        reader.read(bytes);
      },
      tooLong(bytes, isFirst) {
        passed.push(bytes.slice());
        if (isFirst) tooLong++;
      },
    },
    longest,
  );
  for (const piece of pieces) splitter.push(piece);
  passed.push(splitter.rest().slice());
  return { events, tooLong, bytes: Buffer.concat(passed) };
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('bytes are events, whatever they hold', () => {
  it.each<[string, string, readonly string[]]>([
    ['lines that end in LF', 'data: a\n\ndata: b\n\n', ['|a', '|b']],
    ['in CR', 'data: a\r\rdata: b\r\r', ['|a', '|b']],
    ['in CRLF', 'data: a\r\n\r\ndata: b\r\n\r\n', ['|a', '|b']],
    ['mixed', 'data: a\r\n\ndata: b\n\r\ndata: c\r\r\n', ['|a', '|b', '|c']],
    ['a byte order mark', '\uFEFFdata: a\n\n\uFEFFdata: b\n\n', ['|a']],
    ['a name', 'event: x\ndata: a\n\ndata: b\n\n', ['x|a', '|b']],
    ['several data lines', 'data: a\ndata: b\n\n', ['|a\nb']],
    ['comments', ': ping\n\n:\n\n: x\ndata: a\n\n', ['|a']],
    ['no space after the colon', 'data:a\n\n', ['|a']],
    ['a line separator of Unicode', 'data: a\u2028b\u0085c\n\n', ['|a\u2028b\u0085c']],
    ['blank lines', '\n\n\ndata: a\n\n\n\n', ['|a']],
    ['an event without its blank line', 'data: a\n\ndata: b\n', ['|a']],
    ['unknown fields', 'retry: x\nfoo: bar\nid: 1\ndata: a\n\n', ['|a']],
    ['broken UTF-8 is a replacement', 'data: \uFFFD\n\n', ['|\uFFFD']],
  ])('%s', (_, text, events) => {
    const bytes = encode(text);
    expect(readAll([bytes])).toEqual({ events, tooLong: 0, bytes: Buffer.from(bytes) });
    for (let at = 1; at < bytes.length; at++)
      expect(readAll([bytes.subarray(0, at), bytes.subarray(at)]).events).toEqual(events);
    expect(readAll([...bytes].map((byte) => Uint8Array.of(byte))).events).toEqual(events);
  });

  it('an event above the limit is passed and not read, and the next one is', () => {
    const bytes = encode(`data: a\n\ndata: ${'x'.repeat(LONGEST)}\n\ndata: b\n\n`);
    const whole = readAll([bytes]);
    expect(whole).toEqual({ events: ['|a', '|b'], tooLong: 1, bytes: Buffer.from(bytes) });
    for (let at = 1; at < bytes.length; at++)
      expect(readAll([bytes.subarray(0, at), bytes.subarray(at)])).toEqual(whole);
  });

  it('at the limit an event is read, a byte above it is not', () => {
    const fits = encode(`data: ${'x'.repeat(LONGEST - 8)}\n\n`);
    expect(fits.length).toBe(LONGEST);
    expect(readAll([fits]).events).toHaveLength(1);
    expect(readAll([encode(`data: ${'x'.repeat(LONGEST - 7)}\n\n`)])).toMatchObject({
      events: [],
      tooLong: 1,
    });
  });
});

describe('against a plain reader', () => {
  const ending = fc.constantFrom('\n', '\r\n', '\r');
  const text = fc.string({ unit: 'grapheme', maxLength: 12 }).map((value) => value.replace(/[\r\n]/g, ' '));
  const line = fc.oneof(
    text.map((value) => `data: ${value}`),
    text.map((value) => `: ${value}`),
    fc.constantFrom('event: x', 'id: 4', 'retry: 10', 'data', 'data:', 'nothing'),
  );
  const block = fc
    .tuple(fc.array(line, { maxLength: 4 }), ending)
    .map(([lines, end]) => [...lines, ''].map((each) => each + end).join(''));
  const stream = fc.array(block, { maxLength: 6 }).map((blocks) => blocks.join(''));

  it('gives the same events and the same bytes, split anywhere', () => {
    const lengths = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 20 });
    const check = fc.property(stream, lengths, (written, sizes) => {
      const bytes = encode(written);
      const pieces: Uint8Array[] = [];
      for (let from = 0, turn = 0; from < bytes.length; turn++) {
        pieces.push(bytes.subarray(from, from + sizes[turn % sizes.length]!));
        from += sizes[turn % sizes.length]!;
      }
      const found = readAll(pieces, 10_000);
      expect(found.events).toEqual(plainEvents(written));
      expect(Buffer.compare(found.bytes, bytes)).toBe(0);
    });
    fc.assert(check, { numRuns: 400 });
  });
});

/** The grammar of WHATWG HTML, line by line over the whole text. */
function plainEvents(written: string): string[] {
  const lines = written.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
  lines.pop(); // what follows the last line end is no line
  const events: string[] = [];
  let name = '';
  let data: string[] = [];
  for (const line of lines) {
    if (line === '') {
      if (data.length > 0) events.push(`${name}|${data.join('\n')}`);
      name = '';
      data = [];
      continue;
    }
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'data') data.push(value);
    if (field === 'event') name = value;
  }
  return events;
}
