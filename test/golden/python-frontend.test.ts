import { describe, expect, it } from 'vitest';
import { readSamples } from '../../src/testing/index.js';
import { pythonDifferences } from './compare.js';
import { pythonCases } from './golden-case.js';
import { Replay } from './replay.js';

const FILES: readonly (readonly [file: string, cases: number])[] = [
  ['aborts', 3],
  ['cache-config', 2],
  ['connectors', 8],
  ['corrupted', 3],
  ['iteration-tokens', 1],
  ['kv-residency', 2],
  ['lifecycle', 8],
  ['lora', 2],
  ['mixed', 1],
  ['mm-cache', 2],
  ['parallel-sampling', 2],
  ['perf', 2],
  ['scheduler', 2],
  ['sleep-state', 4],
  ['spec-decode', 4],
];

describe.each(FILES)("upstream's Python frontend, %s", (file, count) => {
  const cases = pythonCases(file);

  it.each(cases.map((golden) => [golden.name, golden] as const))(
    '%s exports the same samples',
    async (_, golden) => {
      const { registry, diagnostics } = new Replay(golden.options).run(golden.steps);

      expect(pythonDifferences(golden, await readSamples(registry))).toEqual([]);
      expect(diagnostics).toEqual([]);
    },
  );

  it('has as many cases as ever', () => {
    expect(cases).toHaveLength(count);
  });
});
