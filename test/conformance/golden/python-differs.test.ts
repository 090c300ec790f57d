import { describe, expect, it } from 'vitest';
import { readSamples } from '../../../src/testing/index.js';
import { type GoldenCase, pythonCases } from './golden-case.js';
import { Reference, referenceAdapters, referenceSample } from './reference.js';
import { Replay } from './replay.js';

const RECORDED_OTHERWISE = [
  'an unsubscribed request leaves no terminal record in Python; ours records it as abort',
  'Python takes a sample for an output without tokens, ours does not',
  'Python moves the token stamps on an output without tokens, and subtracts without a guard ' +
    '(queue time of a never scheduled request is minus its queue stamp)',
];
const NOT_THERE = [
  'family not exported by our contract',
  'Python registers the configured positions at start; ours appear on first use',
];
const LORA =
  'Python lists every live adapter in both label values and keeps old series; ours follows the lifecycle, one series';

/** The cases with a difference on purpose that has one of these reasons, and its keys. */
function differing(file: string, reasons: readonly string[]) {
  return pythonCases(file)
    .map((golden) => {
      const differs = golden.differs.filter(({ reason }) => reasons.includes(reason));
      return [golden.name, golden, differs.flatMap(({ keys }) => keys)] as const;
    })
    .filter(([, , keys]) => keys.length > 0);
}

async function samplesOf({ options, steps }: GoldenCase): Promise<ReadonlyMap<string, number>> {
  return readSamples(new Replay(options).run(steps).registry);
}

describe('where Python differs on purpose', () => {
  it.each(differing('aborts', RECORDED_OTHERWISE))(
    '%s: ours says what our rules say',
    async (_, golden, keys) => {
      const ours = await samplesOf(golden);
      const reference = new Reference(golden.steps);

      expect(keys.map((key) => [key, ours.get(key)])).toEqual(
        keys.map((key) => [key, referenceSample(reference, key)]),
      );
      expect(keys.filter((key) => ours.get(key) !== golden.samples[key])).not.toEqual([]);
    },
  );

  it.each([...differing('connectors', NOT_THERE), ...differing('spec-decode', NOT_THERE)])(
    '%s: ours has no such sample',
    async (_, golden, keys) => {
      const ours = await samplesOf(golden);

      expect(keys.filter((key) => ours.has(key))).toEqual([]);
    },
  );

  it.each(differing('lora', [LORA]))('%s: ours follows the lifecycle, step by step', async (_, golden) => {
    const replay = new Replay(golden.options);
    const reference = new Reference();
    const since = Date.now() / 1000;
    for (const step of golden.steps) {
      replay.step(step);
      reference.step(step);
      const series = [...(await readSamples(replay.registry))].filter(([key]) => key.includes('lora'));

      expect(series.map(([key]) => key)).toEqual([referenceAdapters(reference, golden.options.maxLora!)]);
      expect(series.every(([, value]) => value >= since && value <= Date.now() / 1000)).toBe(true);
    }
  });

  it('covers every reason of every case', () => {
    const files = ['aborts', 'connectors', 'spec-decode', 'lora'];
    const reasons = files.flatMap(pythonCases).flatMap(({ differs }) => differs.map(({ reason }) => reason));

    expect(new Set(reasons)).toEqual(new Set([...RECORDED_OTHERWISE, ...NOT_THERE, LORA]));
  });
});
