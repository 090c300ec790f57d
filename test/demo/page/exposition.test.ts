import { expect, it } from 'vitest';
import { parseExposition, sumOf, sumsBy } from '../../../src/demo/page/data/exposition.js';
import { Rig } from '../../support/rig.js';

it('reads what the page writes: labels with quotes, exponents, infinities', () => {
  const text = [
    '# HELP a what it is',
    '# TYPE a gauge',
    'a{x="1",y="quoted \\" and \\\\ and \\n"} 1.5e+10',
    'a{x="2"} +Inf',
    'b 2.0 1700000000',
    'not a line',
    '',
  ].join('\n');
  expect([...parseExposition(text)]).toEqual([
    [
      'a',
      [
        { labels: { x: '1', y: 'quoted " and \\ and \n' }, value: 1.5e10 },
        { labels: { x: '2' }, value: Number.POSITIVE_INFINITY },
      ],
    ],
    ['b', [{ labels: {}, value: 2 }]],
  ]);
});

it('adds up series by their labels', () => {
  const page = parseExposition('a{e="0",r="x"} 1\na{e="1",r="x"} 2\na{e="1",r="y"} 4');
  expect([sumOf(page, 'a'), sumOf(page, 'a', { r: 'x' }), sumOf(page, 'a', { e: '1', r: 'y' })]).toEqual([
    7, 3, 4,
  ]);
  expect([...sumsBy(page, 'a', 'e')]).toEqual([
    ['0', 1],
    ['1', 6],
  ]);
  expect([sumOf(page, 'b'), [...sumsBy(page, 'b', 'e')]]).toEqual([0, []]);
});

it('finds the figures of a real page under the names it looks for', async () => {
  const rig = new Rig();
  rig.request().output(3, { timestamp: 1 }).finish({ timestamp: 2 });
  const page = parseExposition(await rig.registry.metrics());
  expect(sumOf(page, 'vllm:generation_tokens_total')).toBe(4);
  expect(sumOf(page, 'vllm:request_success_total', { finished_reason: 'stop' })).toBe(1);
});
