/** The values of a scrape that do not fit where they stood. */
import { expect, it } from 'vitest';
import { Edits } from '../../../src/prom/page/line-table.js';
import { formatFloat } from '../../../src/prom/text/number-format.js';

const WIDE = -1.234567890123457e-300;

it('edits beyond all room are kept, each with its line and its spelling', () => {
  const edits = new Edits();
  const count = 5000;
  const values = Array.from({ length: count }, (_, i) => (i % 3 === 0 ? i : WIDE - i * 1e-301));
  const texts = values.map(formatFloat);
  values.forEach((value, i) => {
    edits.keep(2 * i, edits.spell(value));
  });
  expect([edits.count, edits.end]).toEqual([count, texts.join('').length]);
  expect([...edits.lines.subarray(0, count)]).toEqual(values.map((_, i) => 2 * i));
  const kept = Buffer.from(edits.bytes).toString();
  const ends = [...edits.ends.subarray(0, count)];
  expect(ends.map((end, i) => kept.slice(i === 0 ? 0 : ends[i - 1], end))).toEqual(texts);
});

it('a value that is spelled and not kept is overwritten by the next', () => {
  const edits = new Edits();
  expect(edits.spell(WIDE)).toBe(formatFloat(WIDE).length);
  edits.keep(7, edits.spell(12));
  expect(Buffer.from(edits.bytes.subarray(0, edits.end)).toString()).toBe('12.0');
});

it('cleared edits are none', () => {
  const edits = new Edits();
  edits.keep(1, edits.spell(3));
  edits.clear();
  expect([edits.count, edits.end]).toEqual([0, 0]);
  edits.keep(9, edits.spell(4));
  expect([edits.lines[0], edits.ends[0]]).toEqual([9, 3]);
  expect(Buffer.from(edits.bytes.subarray(0, 3)).toString()).toBe('4.0');
});
