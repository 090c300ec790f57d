/** `UPDATE_README=1 npx vitest run test/readme` writes what these tests compare. */
import { describe, expect, it } from 'vitest';
import { costsTable } from './costs-table.js';
import { metricsTable } from './metrics-table.js';
import { type Document, generatedPart, writeGeneratedPart } from './readme.js';

const PARTS: readonly (readonly [Document, string, () => Promise<string>])[] = [
  ['README.md', 'metrics', metricsTable],
  ['test/bench/README.md', 'costs', costsTable],
];

describe('the documents', () => {
  it.each(PARTS)('say what the source says: %s, %s', async (document, name, make) => {
    const text = await make();
    if (process.env['UPDATE_README'] !== undefined) writeGeneratedPart(document, name, text);
    expect(generatedPart(document, name)).toBe(text);
  });
});
