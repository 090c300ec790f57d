/** The memory of a page: for itself at first, then two halves that take turns, larger or smaller as pages change. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Block } from '../../../src/prom/page/block.js';
import { Edits } from '../../../src/prom/page/line-table.js';
import { PageMemory } from '../../../src/prom/page/page-memory.js';

const EDITS = new Edits();
const SMALLEST = 1 << 16;

/** A block that fills its place with one byte. */
function block(length: number, byte: number): Block {
  return {
    at: -1,
    length,
    wide: false,
    settled: false,
    refresh: () => false,
    settle: (_, target, at) => target.fill(byte, at, at + length),
  };
}

/** Writes a page of such blocks that is said to be of `size`. */
function write(memory: PageMemory, size: number, ...lengths: readonly number[]): void {
  memory.begin(size);
  lengths.forEach((length, i) => {
    memory.place(block(length, i + 1), EDITS);
  });
  memory.commit();
}

/** The page as it stands, copied. */
function read(memory: PageMemory): Buffer {
  return Buffer.from(memory.bytes.subarray(memory.start, memory.start + memory.length));
}

const page = (...lengths: readonly number[]) => Buffer.concat(lengths.map((n, i) => Buffer.alloc(n, i + 1)));

describe('page memory', () => {
  it('holds the first page in memory of its own, which is at least 64 kB', () => {
    const memory = new PageMemory();
    write(memory, 30, 10, 20);
    expect(read(memory)).toEqual(page(10, 20));
    expect(memory.bytes.length).toBe(SMALLEST);
    const large = new PageMemory();
    write(large, 800_000, 1);
    expect(large.bytes.length).toBeGreaterThanOrEqual(800_000);
    expect(large.bytes.length).toBeLessThan(1_000_000);
  });

  it('writes each later page beside the last one, in the same memory as long as sizes are alike', () => {
    const memory = new PageMemory();
    write(memory, 30, 10, 20);
    write(memory, 30, 7, 8);
    const { bytes } = memory;
    for (const lengths of [[3, 4, 5], [9], [1, 2]]) {
      const [start, end] = [memory.start, memory.start + memory.length];
      write(memory, 30, ...lengths);
      expect(memory.bytes).toBe(bytes);
      expect(memory.start >= end || memory.start + memory.length <= start).toBe(true);
      expect(read(memory)).toEqual(page(...lengths));
    }
  });

  it('keeps the last page until the next is complete', () => {
    const memory = new PageMemory();
    write(memory, 30, 10);
    write(memory, 30, 11);
    memory.begin(30);
    memory.place(block(5, 9), EDITS);
    expect(read(memory)).toEqual(page(11));
  });

  it.each([0, 1])('grows while a page is written, and keeps what was placed: turn %d', (turn) => {
    const memory = new PageMemory();
    for (let i = 0; i < turn + 2; i++) write(memory, 30, 3);
    const { bytes } = memory;
    write(memory, 30, SMALLEST - 1, 1);
    expect(memory.bytes).toBe(bytes); // full to the last byte
    write(memory, 30, SMALLEST - 1, 2, 5);
    expect(memory.bytes.length).toBeGreaterThan(bytes.length);
    expect(read(memory)).toEqual(page(SMALLEST - 1, 2, 5));
  });

  it('moves to smaller memory when a page takes less than a quarter of its room, and to larger when it must', () => {
    const memory = new PageMemory();
    write(memory, 1_000_000, 1);
    write(memory, 1_000_000, 1);
    const { bytes } = memory;
    const room = bytes.length / 2;
    for (const size of [room / 4, room]) {
      write(memory, size, 1);
      expect(memory.bytes).toBe(bytes);
    }
    write(memory, room + 1, 1);
    expect(memory.bytes.length).toBeGreaterThan(bytes.length);
    for (const size of [1000, 0]) {
      write(memory, size, 1);
      expect(memory.bytes.length).toBe(2 * SMALLEST);
    }
  });

  it('holds whatever pages come, one at a time, in at most eight times its bytes', () => {
    const sizes = fc.array(fc.array(fc.nat({ max: 100_000 }), { maxLength: 4 }), { maxLength: 12 });
    fc.assert(
      fc.property(sizes, fc.boolean(), (pages, isKnown) => {
        const memory = new PageMemory();
        for (const lengths of pages) {
          const size = lengths.reduce((sum, length) => sum + length, 0);
          const before = read(memory);
          memory.begin(isKnown ? size : 0);
          lengths.forEach((length, i) => {
            memory.place(block(length, i + 1), EDITS);
          });
          expect(read(memory).equals(before)).toBe(true);
          memory.commit();
          expect(read(memory).equals(page(...lengths))).toBe(true);
          if (isKnown) expect(memory.bytes.length).toBeLessThanOrEqual(8 * Math.max(size, SMALLEST));
        }
      }),
      { numRuns: 50 },
    );
  });
});
