/** `UPDATE_README=1 npx vitest run test/readme` writes what these tests compare. */
import { describe, expect, it } from 'vitest';
import { costsTable } from './costs-table.js';
import { metricsTable } from './metrics-table.js';
import { generatedPart, writeGeneratedPart } from './readme.js';

const PARTS: Readonly<Record<string, () => Promise<string>>> = { metrics: metricsTable, costs: costsTable };

describe('the README', () => {
  it.each(Object.entries(PARTS))('says of %s what the source says', async (name, make) => {
    const text = await make();
    if (process.env['UPDATE_README'] !== undefined) writeGeneratedPart(name, text);
    expect(generatedPart(name)).toBe(text);
  });
});
