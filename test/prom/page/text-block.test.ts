/** A block of text on a page: when it is to be settled, and from what. */
import { describe, expect, it } from 'vitest';
import { Edits } from '../../../src/prom/page/line-table.js';
import { TextBlock } from '../../../src/prom/page/text-block.js';

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** A page of so many bytes, of the kind that blocks are written to. */
function emptyPage(size: number): Uint8Array {
  return Buffer.alloc(size, '.');
}

function settle(block: TextBlock, page: Uint8Array, target: Uint8Array, at: number): string {
  (block.settle as (...args: readonly unknown[]) => void).call(block, page, target, at, new Edits());
  return text(target);
}

function isToBeSettled(block: TextBlock): boolean {
  return (block.refresh as (...args: readonly unknown[]) => boolean).call(block, emptyPage(0), new Edits());
}

describe('a block of text', () => {
  it('has no place and no length yet', () => {
    expect(new TextBlock()).toMatchObject({ at: -1, length: 0, wide: false, settled: false });
  });

  it('is as long as its bytes, and wide if a character takes several', () => {
    const block = new TextBlock();
    block.set('abc');
    expect(block).toMatchObject({ length: 3, wide: false });
    block.set('é€');
    expect(block).toMatchObject({ length: 5, wide: true });
    block.set('a');
    expect(block).toMatchObject({ length: 1, wide: false });
  });

  it('is to be settled until it is, and again with another text', () => {
    const block = new TextBlock();
    block.set('abc');
    expect(isToBeSettled(block)).toBe(true);
    expect(settle(block, emptyPage(0), emptyPage(5), 1)).toBe('.abc.');
    expect(block).toMatchObject({ at: 1, settled: true });
    block.set('abc');
    expect([block.settled, isToBeSettled(block)]).toEqual([true, false]);
    block.set('é');
    expect([block.settled, isToBeSettled(block)]).toEqual([false, true]);
    expect(settle(block, emptyPage(0), emptyPage(3), 0)).toBe('é.');
  });

  it('with its text settled moves what stands on the page', () => {
    const block = new TextBlock();
    const page = emptyPage(5);
    block.set('abc');
    settle(block, page, page, 1);
    page.set([120], 2); // b becomes x: the text is not written again
    expect(settle(block, page, emptyPage(4), 0)).toBe('axc.');
    expect(block.at).toBe(0);
    block.set('de');
    expect(settle(block, page, emptyPage(4), 2)).toBe('..de');
  });
});
