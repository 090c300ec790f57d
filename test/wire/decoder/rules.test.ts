/** Single rules of architecture.md's entry wire that no vector shows. */
import { encode } from '@msgpack/msgpack';
import { describe, expect, it } from 'vitest';
import { EngineCoreOutputsDecoder, encodeEngineCoreOutputs } from '../../../src/wire/index.js';

function decode(message: unknown): ReturnType<EngineCoreOutputsDecoder['decode']> {
  return new EngineCoreOutputsDecoder().decode(encode(message));
}

const text = (value: string) => [0xa0 | value.length, ...Buffer.from(value)];

/** A message with scheduler stats of these bytes. */
function stats(...map: readonly number[]): unknown {
  return new EngineCoreOutputsDecoder().decode(Uint8Array.of(0x93, 0, 0x90, ...map)).schedulerStats;
}

describe('of equal keys the last one wins', () => {
  const running = text('num_running_reqs');

  it.each<[string, readonly number[], number]>([
    ['over a good one', [5], 5],
    ['when it is nil', [0xc0], 0],
    ['when it is of a wrong type', text('x'), 0],
  ])('%s', (_name, last, value) => {
    expect(stats(0x82, ...running, 9, ...running, ...last)).toMatchObject({ numRunningReqs: value });
  });

  it('also in a map whose keys are data', () => {
    const lora = text('running_lora_adapters');
    expect(stats(0x81, ...lora, 0x82, ...text('a'), 1, ...text('a'), 2)).toMatchObject({
      runningLoraAdapters: { a: 2 },
    });
  });
});

describe('a whole number that is spelled as a float is a number', () => {
  it('as a call’s id, which is a bigint only where a number cannot hold it', () => {
    const id = (bytes: readonly number[]) =>
      new EngineCoreOutputsDecoder().decode(Uint8Array.of(0x95, 0, 0x90, 0xc0, 0, 0x91, ...bytes))
        .utilityOutput?.callId;
    expect(id([0xca, 0x40, 0xa0, 0, 0])).toBe(5);
    expect(id([0xcf, 0, 0, 0, 0, 0, 0, 0, 7])).toBe(7);
    expect(id([0xcf, 0, 0x20, 0, 0, 0, 0, 0, 1])).toBe(2n ** 53n + 1n);
    expect(id([0xd3, 0xff, 0xdf, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff])).toBe(-(2n ** 53n) - 1n);
  });

  it('as a finish reason, and the text of an unknown one has no exponent', () => {
    const reason = (value: number) =>
      decode([0, [['a', [], null, null, null, value]]]).outputs[0]!.finishReason;
    expect(reason(1)).toBe('length');
    expect(reason(5)).toBe('5');
    expect(reason(1e21)).toBe('1000000000000000000000');
  });
});

describe('a list of tokens in any spelling', () => {
  it.each([
    ['none', []],
    ['of every width', [0, 127, 128, 255, 256, 65_535, 65_536, 2 ** 32 - 1, 2 ** 40, -1, -(2 ** 40)]],
    ['sixteen', Array.from({ length: 16 }, (_, i) => i * 300)],
    ['a thousand', Array.from({ length: 1000 }, (_, i) => i * i)],
  ])('%s keeps the id that stands before it, step after step', (_name, newTokenIds) => {
    const decoder = new EngineCoreOutputsDecoder();
    const outputs = ['a', 'b', 'c'].map((requestId) => ({ requestId, newTokenIds }));
    const bytes = encodeEngineCoreOutputs({ engineIndex: 0, timestamp: 1, outputs });
    for (let step = 0; step < 3; step++) expect(decoder.decode(bytes).outputs).toMatchObject(outputs);
  });
});

describe('names that a prototype has', () => {
  it('are own properties', () => {
    const adapters = JSON.parse('{"__proto__": 3, "constructor": 1}') as Record<string, number>;
    const decoder = new EngineCoreOutputsDecoder();
    const { schedulerStats, outputs } = decoder.decode(
      encodeEngineCoreOutputs({
        engineIndex: 0,
        timestamp: 1,
        outputs: [{ requestId: 'a', newTokenIds: [], kvTransferParams: adapters }],
        schedulerStats: { runningLoraAdapters: adapters },
      }),
    );
    expect(Object.entries(schedulerStats!.runningLoraAdapters!)).toEqual(Object.entries(adapters));
    expect(Object.entries(outputs[0]!.kvTransferParams!)).toEqual(Object.entries(adapters));
  });
});
