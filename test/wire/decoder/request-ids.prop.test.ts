/** Ids are remembered by position and bytes: whatever comes and goes, each output keeps its own. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { EngineCoreOutputs } from '../../../src/index.js';
import { EngineCoreOutputsDecoder, encodeEngineCoreOutputs } from '../../../src/wire/index.js';

const id = fc.oneof(
  fc.integer({ min: 0, max: 30 }).map((n) => `chatcmpl-${n}`),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('', '__proto__', 'x'.repeat(31), 'x'.repeat(32), 'y'.repeat(255), 'z'.repeat(300)),
);
const step = fc.record({ engineIndex: fc.integer({ min: 0, max: 2 }), ids: fc.array(id, { maxLength: 40 }) });

function stepOf(engineIndex: number, ids: readonly string[]): EngineCoreOutputs {
  return { engineIndex, timestamp: 1, outputs: ids.map((requestId) => ({ requestId, newTokenIds: [7] })) };
}

it('over any steps of any engines', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const decoder = new EngineCoreOutputsDecoder();
      for (const { engineIndex, ids } of steps) {
        const wellFormed = ids.map((each) => each.toWellFormed());
        const { outputs } = decoder.decode(encodeEngineCoreOutputs(stepOf(engineIndex, wellFormed)));
        expect(outputs.map(({ requestId }) => requestId)).toEqual(wellFormed);
      }
    }),
  );
});

it('makes no new string for a request that is known', () => {
  const decoder = new EngineCoreOutputsDecoder();
  const ids = Array.from({ length: 200 }, (_, i) => `request-${i}-with-a-long-name`);
  const bytes = encodeEngineCoreOutputs(stepOf(0, ids));
  decoder.decode(bytes);
  const before = bytes.slice();
  const [first] = decoder.decode(bytes).outputs;
  bytes.fill(0); // the bytes are not kept
  expect(first!.requestId).toBe(ids[0]);
  expect(decoder.decode(before).outputs.at(-1)!.requestId).toBe(ids.at(-1));
});

it('forgets rather than fill the memory, and goes on', () => {
  const decoder = new EngineCoreOutputsDecoder();
  for (let engine = 0; engine < 70; engine++) {
    const ids = Array.from({ length: 1000 }, (_, i) => `${engine}-${i}`);
    const { outputs } = decoder.decode(encodeEngineCoreOutputs(stepOf(engine, ids)));
    expect(outputs.map(({ requestId }) => requestId)).toEqual(ids);
  }
});
