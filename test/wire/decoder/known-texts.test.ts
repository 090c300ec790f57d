/** A step of decoding makes no string: ids by their bytes, whatever order they come in, and keys by theirs. */
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest';
import { EngineCoreOutputsDecoder, encodeEngineCoreOutputs } from '../../../src/wire/index.js';

/** All ways in which the decoder makes a string of bytes. */
let spies: MockInstance[];

beforeEach(() => {
  spies = [vi.spyOn(String, 'fromCharCode'), vi.spyOn(TextDecoder.prototype, 'decode')];
});

afterEach(() => {
  vi.restoreAllMocks();
});

function strings(run: () => void): number {
  for (const spy of spies) spy.mockClear();
  run();
  return spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0);
}

function idsOf(from: number, to: number): string[] {
  return Array.from({ length: to - from }, (_, i) => `chatcmpl-9f1c2d3e-4b5a-${from + i}`);
}

function step(ids: readonly string[], engineIndex = 0): Uint8Array {
  const outputs = ids.map((requestId) => ({ requestId, newTokenIds: [70_000] }));
  const schedulerStats = {
    numRunningReqs: ids.length,
    numKvFetchReqsByStage: { waiting_to_start: 0, in_progress: 2, completed_waiting: 1 },
    prefixCacheStats: { queries: 5, hitsBySource: { cpu: 3, disk: 1 } },
    runningLoraAdapters: { ada: 1, bob: 2 },
  };
  return encodeEngineCoreOutputs({ engineIndex, timestamp: 1.5, outputs, schedulerStats });
}

function decoded(decoder: EngineCoreOutputsDecoder, ids: readonly string[], engineIndex = 0): void {
  const bytes = step(ids, engineIndex);
  expect(decoder.decode(bytes).outputs.map(({ requestId }) => requestId)).toEqual(ids);
}

/** What each step after the first makes no string for. */
describe('known texts', () => {
  const all = idsOf(0, 200);

  it('are made once: the ids and the names of a step’s stats', () => {
    const decoder = new EngineCoreOutputsDecoder();
    expect(strings(() => decoded(decoder, all))).toBe(200 + 3 + 2 + 2);
    expect(strings(() => decoded(decoder, all))).toBe(0);
  });

  it.each<[string, readonly (readonly string[])[]]>([
    ['requests that end', [all.filter((_, i) => i % 3 > 0), all.filter((_, i) => i % 17 === 0), []]],
    ['two batches in turn', [all.slice(0, 100), all.slice(100), all.slice(0, 100), all.slice(100)]],
    ['one request a message', all.slice(0, 20).map((id) => [id])],
    ['another order', [all.toReversed(), all.toSorted()]],
    ['one id twice', [[all[7]!, all[7]!, all[3]!, all[7]!], all]],
  ])('make no string again with %s', (_name, steps) => {
    const decoder = new EngineCoreOutputsDecoder();
    decoded(decoder, all);
    expect(strings(() => steps.forEach((ids) => void decoded(decoder, ids)))).toBe(0);
  });

  it('make one string for each that is new', () => {
    const decoder = new EngineCoreOutputsDecoder();
    decoded(decoder, all);
    expect(strings(() => decoded(decoder, [...idsOf(300, 302), ...all.slice(5), ...idsOf(400, 403)]))).toBe(
      5,
    );
  });

  it('are kept by engine', () => {
    const decoder = new EngineCoreOutputsDecoder();
    decoded(decoder, all.slice(0, 50), 0);
    decoded(decoder, all.slice(50), 1);
    const again = () => {
      decoded(decoder, all.slice(0, 50), 0);
      decoded(decoder, all.slice(50), 1);
    };
    expect(strings(again)).toBe(0);
  });

  it('of requests are kept with many others after them, and forgotten after 65,536', () => {
    const decoder = new EngineCoreOutputsDecoder();
    decoded(decoder, all);
    decoder.decode(step(idsOf(1000, 31_000)));
    expect(strings(() => decoded(decoder, all))).toBe(0);
    decoder.decode(step(idsOf(100_000, 170_000)));
    expect(strings(() => decoded(decoder, all))).toBe(200);
  });

  it('are made of long ids each time: nobody’s memory is filled by them', () => {
    const decoder = new EngineCoreOutputsDecoder();
    const long = ['x'.repeat(256)];
    decoded(decoder, long);
    expect(strings(() => decoded(decoder, long))).toBe(1);
  });
});
