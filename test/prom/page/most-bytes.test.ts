/** A block that is yet to be spelled says how many bytes it takes at most: pages make room for that. */
import { expect, it } from 'vitest';
import { MetricFamily } from '../../../src/metric/family.js';
import { Edits } from '../../../src/prom/page/line-table.js';
import { SeriesBlock } from '../../../src/prom/page/series-block.js';
import { SeriesLines } from '../../../src/prom/page/series-lines.js';
import { LabelTexts } from '../../../src/prom/text/label-texts.js';
import { describeFamily } from '../../support/registries.js';

/** 23 characters, as almost the widest numbers have. */
const WIDEST = -1.234567890123457e-300;
const LONG_BOUNDS = Array.from({ length: 12 }, (_, i) => 1.234567890123457e-300 * (i + 1));

it.each([
  ['no labels, long bounds', [], []],
  ['short ones', ['engine'], ['0']],
  ['escapes', ['model_name', 'zone'], ['"\\\n'.repeat(9), '']],
  ['two bytes a character', ['model_name'], ['é'.repeat(40)]],
  ['three', ['a', 'z'], ['€'.repeat(40), '€']],
  ['four', ['z'], ['😀'.repeat(40)]],
])('%s', (_, names, values) => {
  for (const [type, bounds] of [
    ['histogram', LONG_BOUNDS],
    ['gauge', []],
  ] as const) {
    const family = new MetricFamily(describeFamily(type, 'vllm:a', names, bounds));
    const series = family.series(...values);
    series.cells.fill(WIDEST);
    const block = new SeriesBlock([series], new SeriesLines(family, new LabelTexts(names, {})));
    block.refresh(Buffer.alloc(0), new Edits());
    const most = block.length;
    const page = Buffer.alloc(10_000);
    block.settle(page, page, 0, new Edits());
    expect(block.length).toBe(page.indexOf(0));
    expect(most).toBeGreaterThanOrEqual(block.length);
    expect(most).toBeLessThan(2 * block.length);
  }
});
