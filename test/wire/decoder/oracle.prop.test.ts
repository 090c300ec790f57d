/** Mutated messages against another msgpack decoder: both refuse them, or both see the same. */
import { decode, ExtensionCodec } from '@msgpack/msgpack';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  EngineCoreOutputsDecoder,
  encodeEngineCoreOutputs,
  WireDecodeError,
} from '../../../src/wire/index.js';
import { FUTURE, framesOf, present, VECTORS } from './vectors.js';

const RUNS = Number(process.env['RX_ENGINE_METRICS_RUNS'] ?? 5_000);

const messages = [...VECTORS, ...FUTURE].map((vector) => framesOf(vector)[0]!);

/** One change of some bytes. */
const change = fc.tuple(
  fc.constantFrom('flip', 'set', 'cut', 'insert', 'repeat'),
  fc.nat(),
  fc.nat({ max: 255 }),
);

function changed(bytes: Uint8Array, [kind, at, value]: readonly [string, number, number]): Uint8Array {
  const index = bytes.length === 0 ? 0 : at % bytes.length;
  if (kind === 'cut') return bytes.slice(0, index);
  if (kind === 'insert') return Uint8Array.from([...bytes.slice(0, index), value, ...bytes.slice(index)]);
  if (kind === 'repeat')
    return Uint8Array.from([...bytes.slice(0, index), ...bytes.slice(Math.max(0, index - 8))]);
  return bytes.map((byte, i) => (i !== index ? byte : kind === 'flip' ? byte ^ (1 << (value % 8)) : value));
}

/** Every extension as it is. */
const extensionCodec = new ExtensionCodec();

/** The whole message by the other decoder; undefined if it refuses it. */
function oracle(bytes: Uint8Array): unknown {
  try {
    return decode(bytes, { extensionCodec, mapKeyConverter: (key) => key as string, rawStrings: true });
  } catch {
    return undefined;
  }
}

const isNumber = (value: unknown): value is number => typeof value === 'number';
const isWhole = (value: unknown): value is number => isNumber(value) && Number.isInteger(value);

/** What can be told of a message without the tables: its engine, and the tokens of its readable outputs. */
function tokensOf(value: unknown): number[][] {
  if (!Array.isArray(value)) return [];
  return value
    .filter((output) => Array.isArray(output) && output[0] instanceof Uint8Array && Array.isArray(output[1]))
    .map((output) => (output as unknown[])[1] as unknown[])
    .filter((tokens): tokens is number[] => tokens.every(isWhole));
}

it('read as another decoder reads them', () => {
  let read = 0;
  fc.assert(
    fc.property(
      fc.constantFrom(...messages),
      fc.array(change, { minLength: 0, maxLength: 3 }),
      (message, changes) => {
        const bytes = changes.reduce<Uint8Array>(changed, message);
        const other = oracle(bytes);
        let ours: ReturnType<EngineCoreOutputsDecoder['decode']> | undefined;
        try {
          ours = new EngineCoreOutputsDecoder().decode(bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(WireDecodeError);
          const { reason } = error as WireDecodeError;
          if (reason === 'engine_index' || reason === 'not an array') return;
          // The other decoder does not know of a limit to depth, and reads lengths that it never uses.
          if (reason !== 'nested deeper than 512') expect(other).toBeUndefined();
          return;
        }
        read++;
        if (other === undefined) return; // it refuses what we do not look into: a timestamp extension, a map's odd key
        const [engine, outputs, , timestamp] = other as unknown[];
        expect(ours.engineIndex).toBe(engine ?? 0);
        expect(ours.outputs.map(({ newTokenIds }) => newTokenIds)).toEqual(tokensOf(outputs));
        expect(ours.timestamp).toEqual(isNumber(timestamp) ? timestamp : undefined);
      },
    ),
    { numRuns: RUNS },
  );
  expect(read).toBeGreaterThan(RUNS / 10);
});

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
