/** Mutated messages against another msgpack decoder: both refuse them, or both see the same. */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  EngineCoreOutputsDecoder,
  encodeEngineCoreOutputs,
  WireDecodeError,
} from '../../../src/wire/index.js';
import { BINARY, EXTENSION, TEXT } from '../../../src/wire/msgpack/kind.js';
import { MsgpackReader } from '../../../src/wire/msgpack/msgpack-reader.js';
import { readPlainly } from './plain-reader.js';
import { FUTURE, framesOf, present, VECTORS } from './vectors.js';

const RUNS = Number(process.env['RX_ENGINE_METRICS_RUNS'] ?? 5_000);

const messages = [...VECTORS, ...FUTURE].map((vector) => framesOf(vector)[0]!);

/** Heads that mean something: nil, the byte without a meaning, flags, lists, maps, texts, floats, wide numbers. */
const heads = [
  0xc0, 0xc1, 0xc2, 0x90, 0x91, 0xdc, 0xdd, 0x80, 0x81, 0xde, 0xa1, 0xd9, 0xc4, 0xcb, 0xcf, 0xd3, 0xd4,
];

/** One change of some bytes. */
const change = fc.tuple(
  fc.constantFrom('flip', 'set', 'cut', 'insert', 'repeat'),
  fc.nat(),
  fc.oneof(fc.nat({ max: 255 }), fc.constantFrom(...heads)),
);

function changed(bytes: Uint8Array, [kind, at, value]: readonly [string, number, number]): Uint8Array {
  const index = bytes.length === 0 ? 0 : at % bytes.length;
  if (kind === 'cut') return bytes.slice(0, index);
  if (kind === 'insert') return Uint8Array.from([...bytes.slice(0, index), value, ...bytes.slice(index)]);
  if (kind === 'repeat')
    return Uint8Array.from([...bytes.slice(0, index), ...bytes.slice(Math.max(0, index - 8))]);
  return bytes.map((byte, i) => (i !== index ? byte : kind === 'flip' ? byte ^ (1 << (value % 8)) : value));
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** Upstream refuses a text that is no UTF-8, the other decoder makes of it what it likes, ours puts U+FFFD. */
function hasBrokenText(bytes: Uint8Array): boolean {
  const reader = new MsgpackReader(bytes);
  try {
    while (reader.position < bytes.length) {
      const kind = reader.head();
      if (kind === TEXT) UTF8.decode(reader.payload());
      else if (kind === BINARY || kind === EXTENSION) reader.payload();
    }
    return false;
  } catch {
    return true;
  }
}

type Outcome = { readonly value?: unknown; readonly error?: unknown };

function outcomeOf(read: () => unknown): Outcome {
  try {
    return { value: read() };
  } catch (error) {
    return { error };
  }
}

/** Undefined if both see the same; otherwise what each of them saw. */
function disagreement(bytes: Uint8Array): readonly Outcome[] | undefined {
  const plain = outcomeOf(() => present(readPlainly(bytes)));
  const ours = outcomeOf(() => present(new EngineCoreOutputsDecoder().decode(bytes)));
  if (ours.error === undefined) return isDeepStrictEqual(ours.value, plain.value) ? undefined : [ours, plain];
  if (!(ours.error instanceof WireDecodeError)) return [ours, plain];
  const { reason } = ours.error;
  // The other decoder knows no limit to depth.
  if (reason === 'nested deeper than 512') return undefined;
  const isRefused = reason === 'engine_index' || reason === 'not an array' || plain.error !== undefined;
  return isRefused && plain.value === undefined ? undefined : [ours, plain];
}

const readAlike = () => {
  let read = 0;
  fc.assert(
    fc.property(fc.constantFrom(...messages), fc.array(change, { maxLength: 3 }), (message, changes) => {
      const bytes = changes.reduce<Uint8Array>(changed, message);
      const found = disagreement(bytes);
      if (found === undefined) read++;
      else if (found[0]!.error !== undefined || !hasBrokenText(bytes)) expect(found[0]).toEqual(found[1]);
    }),
    { numRuns: RUNS },
  );
  expect(read).toBeGreaterThan(RUNS / 2);
};

it('are read as another decoder reads them, every field', readAlike, 20_000 + RUNS * 5);

it('come back from our encoder as they were', () => {
  for (const message of messages) {
    const decoder = new EngineCoreOutputsDecoder();
    const once = decoder.decode(message);
    // A timestamp that is missing is written as 0, the wire's default.
    const wanted = present({ ...once, timestamp: once.timestamp ?? 0 });
    const again = decoder.decode(encodeEngineCoreOutputs(once));
    expect(present(again)).toEqual(wanted);
    const short = decoder.decode(encodeEngineCoreOutputs(once, { fields: 'short' }));
    expect(present({ ...short, timestamp: short.timestamp ?? 0 })).toEqual(wanted);
  }
});
