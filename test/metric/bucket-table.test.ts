/** The index finds the right bucket with any table, only slowly: what its table is, no figure shows. */
import { describe, expect, it } from 'vitest';
import { BucketIndex } from '../../src/metric/bucket-index.js';

/** Where the search begins for a value that is a power of two times up to four more bits. */
function firstGuess(index: BucketIndex, value: number): number {
  const words = new Uint16Array(new Float64Array([value]).buffer);
  return index.table[words[3]! - index.first]!;
}

describe('the table of a BucketIndex', () => {
  it('has a slot per sixteenth of an octave, from the lowest bound to the highest', () => {
    expect(new BucketIndex([1, 2, 4]).table).toHaveLength(33);
    expect(new BucketIndex([7]).table).toHaveLength(1);
  });

  it('leads to the bucket at once where no bound shares the slot', () => {
    const index = new BucketIndex([1, 2, 4, 8, 16]);
    const values = [1.5, 2, 3, 4, 5, 8, 9.5, 16];
    expect(values.map((value) => firstGuess(index, value))).toEqual(values.map((value) => index.find(value)));
  });

  it('leads to the first of the bounds that share the slot', () => {
    const index = new BucketIndex([1, 1.01, 1.02, 1.5]);
    expect([1, 1.01, 1.02, 1.5].map((value) => firstGuess(index, value))).toEqual([0, 0, 0, 3]);
  });
});
