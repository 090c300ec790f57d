/** The memory of a page: for itself at first, then two halves that take turns, larger or smaller as pages change. */
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

function read(memory: PageMemory): number[] {
  return [...memory.bytes.subarray(memory.start, memory.start + memory.length)];
}

const page = (...lengths: readonly number[]) => lengths.flatMap((n, i) => Array<number>(n).fill(i + 1));

describe('page memory', () => {
  it('holds the first page in memory of its own, at least 64 kB', () => {
    const memory = new PageMemory();
    write(memory, 30, 10, 20);
    expect([memory.start, memory.length, memory.bytes.length]).toEqual([0, 30, SMALLEST]);
    expect(read(memory)).toEqual(page(10, 20));
    const large = new PageMemory();
    write(large, 800_000, 1);
    expect(large.bytes.length).toBe(900_000);
  });

  it('has two halves from the second page on, which take turns', () => {
    const memory = new PageMemory();
    write(memory, 30, 10, 20);
    write(memory, 30, 7, 8);
    const { bytes } = memory;
    expect([bytes.length, memory.start, memory.length]).toEqual([2 * SMALLEST, 0, 15]);
    write(memory, 30, 3, 4, 5);
    expect([memory.bytes, memory.start, memory.length]).toEqual([bytes, SMALLEST, 12]);
    expect(memory.bytes).toBe(bytes);
    expect(read(memory)).toEqual(page(3, 4, 5));
    write(memory, 30, 9);
    expect([memory.bytes === bytes, memory.start, memory.length]).toEqual([true, 0, 9]);
    expect(read(memory)).toEqual(page(9));
  });

  it('keeps the last page until the next is complete', () => {
    const memory = new PageMemory();
    write(memory, 30, 10);
    write(memory, 30, 11);
    memory.begin(30);
    memory.place(block(5, 9), EDITS);
    expect(read(memory)).toEqual(page(11));
  });

  it.each([0, 1])('grows while a page is written, and keeps what was placed: half %d', (half) => {
    const memory = new PageMemory();
    for (let i = 0; i < half + 2; i++) write(memory, 30, 3);
    expect(memory.start).toBe(half === 0 ? 0 : SMALLEST);
    write(memory, 30, SMALLEST - 1, 1);
    expect(memory.bytes.length).toBe(2 * SMALLEST); // to the last byte
    write(memory, 30, SMALLEST - 1, 2, 5);
    expect(memory.length).toBe(SMALLEST + 6);
    expect(memory.bytes.length).toBe(2 * Math.ceil(1.125 * (half * SMALLEST + SMALLEST + 1)));
    expect(read(memory)).toEqual(page(SMALLEST - 1, 2, 5));
  });

  it('moves to smaller memory when a page takes less than a quarter of a half', () => {
    const memory = new PageMemory();
    const half = 1_125_000;
    write(memory, 1_000_000, 1);
    write(memory, 1_000_000, 1);
    expect(memory.bytes.length).toBe(2 * half);
    const { bytes } = memory;
    write(memory, half / 4, 1);
    expect(memory.bytes).toBe(bytes);
    write(memory, half, 1);
    expect(memory.bytes).toBe(bytes);
    write(memory, half + 1, 1);
    expect(memory.bytes.length).toBe(2 * Math.ceil(1.125 * (half + 1)));
    write(memory, 1000, 1);
    expect(memory.bytes.length).toBe(2 * SMALLEST);
    write(memory, 0, 1);
    expect(memory.bytes.length).toBe(2 * SMALLEST);
  });
});
