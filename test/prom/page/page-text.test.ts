/** A page's bytes as a string or as chunks. */
import { describe, expect, it } from 'vitest';
import type { Page } from '../../../src/prom/page/page.js';
import { chunksOf, textOf } from '../../../src/prom/page/page-text.js';
import type { Slices } from '../../../src/prom/page/slices.js';

const ONE_GO = 1 << 22;
const PIECE = 1 << 17;

/** A page of these texts that begins somewhere in its memory. */
function pageOf(texts: readonly string[]): { page: Page; whole: string } {
  const whole = texts.join('');
  const bytes = Buffer.from(`before${whole}after`);
  const blocks = texts.map((text) => ({ length: Buffer.byteLength(text), wide: /[^\0-\x7f]/.test(text) }));
  const memory = { bytes, start: 6, length: Buffer.byteLength(whole) };
  return { page: { blocks, memory, text: undefined } as unknown as Page, whole };
}

function slicesThat(due: boolean): { slices: Slices; turns: () => number } {
  let turns = 0;
  const next = async () => {
    turns++;
  };
  return { slices: { due: () => due, next } as unknown as Slices, turns: () => turns };
}

const lines = (length: number, count: number) => Array<string>(count).fill('x'.repeat(length));

describe('the text of a page', () => {
  it.each([
    ['less than 4 MB in one go', [...lines(ONE_GO / 64, 63), 'y'], 0],
    ['4 MB in one go', lines(ONE_GO / 64, 64), 1],
    ['more in pieces of 128 kB', [...lines(ONE_GO / 64, 64), 'y'], 32],
    ['pieces of whole blocks', [...lines(PIECE - 1, 34), 'y'], 17],
    ['wide blocks among others', [...lines(PIECE, 20), '€é😀', ...lines(PIECE, 20), 'é'], 40],
  ])('is what its bytes say: %s', async (_, texts, pieces) => {
    const { page, whole } = pageOf(texts);
    const { slices, turns } = slicesThat(true);
    expect((await textOf(page, slices)) === whole).toBe(true);
    expect(turns()).toBe(pieces);
    expect(page.text === whole).toBe(true);
    const other = slicesThat(false);
    page.text = undefined;
    expect((await textOf(page, other.slices)) === whole).toBe(true);
    expect(other.turns()).toBe(0);
  });

  it('is not made again while there is one', async () => {
    const { page } = pageOf(['a\n']);
    page.text = 'known';
    expect(await textOf(page, slicesThat(true).slices)).toBe('known');
  });

  it.each([
    [0, []],
    [1, [1]],
    [256_000, [256_000]],
    [600_000, [256_000, 256_000, 88_000]],
  ])('in chunks: %d bytes', async (length, expected) => {
    const { page, whole } = pageOf(['z'.repeat(length)]);
    const { slices, turns } = slicesThat(true);
    const chunks = await chunksOf(page, slices);
    expect(chunks.map((chunk) => chunk.length)).toEqual(expected);
    expect(Buffer.concat(chunks).toString() === whole).toBe(true);
    expect(turns()).toBe(expected.length);
    const other = slicesThat(false);
    await chunksOf(page, other.slices);
    expect(other.turns()).toBe(0);
  });
});
