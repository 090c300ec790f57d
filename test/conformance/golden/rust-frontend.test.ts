import { describe, expect, it } from 'vitest';
import { readSamples } from '../../../src/testing/index.js';
import { rustDifferences } from './compare.js';
import { rustCases } from './golden-case.js';
import { Replay } from './replay.js';

const { families, cases } = rustCases();

describe("upstream's Rust frontend", () => {
  it.each(cases.map((golden) => [golden.name, golden] as const))(
    '%s exports the same samples',
    async (_, golden) => {
      const { registry, diagnostics } = new Replay(golden.options).run(golden.steps);

      expect(rustDifferences(golden, families, await readSamples(registry))).toEqual([]);
      expect(diagnostics.filter(({ value }) => !((value as number) < 0))).toEqual([]);
    },
  );

  it('has 32 cases over 39 families', () => {
    expect([cases.length, families.size]).toEqual([32, 39]);
  });
});
