/** A family's blocks: as many series as fill 128 kB, kept while their series stand as they did. */
import { describe, expect, it } from 'vitest';
import type { Block } from '../../../src/prom/page/block.js';
import { FamilyBlocks } from '../../../src/prom/page/family-blocks.js';
import type { SeriesBlock } from '../../../src/prom/page/series-block.js';
import { LabelTexts } from '../../../src/prom/text/label-texts.js';
import { describeFamily, makeRegistry, register } from '../../support/registries.js';

/** 12 characters of name, 50 of labels, 48 beside: 1,191 lines of 110 bytes at most make a block. */
const PER_BLOCK = Math.floor((1 << 17) / 110);

function familyOf(count: number) {
  const [shared] = register(makeRegistry(), describeFamily('counter', 'vllm:c_total', ['engine']));
  const { family } = shared!;
  const add = (from: number, to: number) => {
    for (let i = from; i < to; i++) family.series(String(i).padStart(38, '0'));
  };
  add(0, count);
  const blocks = new FamilyBlocks(shared!, new LabelTexts(['engine'], {}));
  const groups = (): Block[] => blocks.blocks(false).slice(1);
  return { family, add, blocks, groups, hide: (i: number) => family.hide([...family.all()][i]!, true) };
}

const sizes = (blocks: readonly Block[]) => blocks.map((block) => (block as SeriesBlock).series.length);

describe('the blocks of a family', () => {
  it.each([
    [0, []],
    [1, [1]],
    [PER_BLOCK, [PER_BLOCK]],
    [PER_BLOCK + 1, [PER_BLOCK, 1]],
    [2 * PER_BLOCK + 5, [PER_BLOCK, PER_BLOCK, 5]],
  ])('of %d series are full but for the last', (count, expected) => {
    expect(sizes(familyOf(count).groups())).toEqual(expected);
  });

  it('are the same as long as no series comes or goes', () => {
    const { groups } = familyOf(PER_BLOCK + 3);
    expect(groups()).toEqual(groups());
    expect(groups()[1]).toBe(groups()[1]);
  });

  it('that are half full stay, a smaller one joins the series that come', () => {
    const { groups, add } = familyOf(PER_BLOCK + Math.ceil(PER_BLOCK / 2) + 1);
    const before = groups();
    add(2 * PER_BLOCK, 2 * PER_BLOCK + 2);
    const between = groups();
    expect(between[0]).toBe(before[0]);
    expect(between[1]).toBe(before[1]);
    expect(sizes(between)).toEqual([PER_BLOCK, Math.ceil(PER_BLOCK / 2) + 1, 2]);
    add(3 * PER_BLOCK, 3 * PER_BLOCK + 4);
    const after = groups();
    expect(sizes(after)).toEqual([PER_BLOCK, Math.ceil(PER_BLOCK / 2) + 1, 6]);
    expect(after[2]).not.toBe(between[2]);
  });

  it('give way where a series hides, and only there', () => {
    const { groups, hide, family } = familyOf(3 * PER_BLOCK);
    const before = groups();
    hide(PER_BLOCK + 7);
    const after = groups();
    expect(sizes(after)).toEqual([PER_BLOCK, PER_BLOCK - 1, PER_BLOCK]);
    expect(after[0]).toBe(before[0]);
    expect(after[1]).not.toBe(before[1]);
    expect(after[2]).toBe(before[2]);
    const shown = after.flatMap((block) => (block as SeriesBlock).series);
    expect(shown).toEqual([...family.visible()]);
  });

  it('have a header that changes with the format', () => {
    const { blocks } = familyOf(1);
    const [header] = blocks.blocks(false);
    const length = header!.length;
    expect(blocks.blocks(false)[0]).toBe(header);
    expect(blocks.blocks(true)[0]!.length).toBe(length - 2 * '_total'.length); // in the name of HELP and TYPE
  });
});
