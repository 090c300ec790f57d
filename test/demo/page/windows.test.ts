import { expect, it } from 'vitest';
import { History } from '../../../src/demo/page/data/history.js';
import { ScrapeWindow, scrapeOf, TIME_TO_FIRST_TOKEN } from '../../../src/demo/page/data/scrape.js';
import { countText, durationText, percentText } from '../../../src/demo/page/data/text.js';

/** A page on which so many requests had their first token, and as many tokens came. */
function scrape(time: number, n: number) {
  const buckets = [
    `${TIME_TO_FIRST_TOKEN}_bucket{le="1.0"} ${n}`,
    `${TIME_TO_FIRST_TOKEN}_bucket{le="+Inf"} ${n}`,
  ];
  return scrapeOf([...buckets, `tokens{engine="0"} ${n}`, `tokens{engine="1"} 0`].join('\n'), time);
}

it('looks back over so many seconds, at two scrapes at the least', () => {
  const window = new ScrapeWindow(10);
  expect(window.growth(TIME_TO_FIRST_TOKEN).counts).toEqual([]);
  for (const [time, n] of [
    [0, 1],
    [5, 3],
    [10, 7],
    [15, 20],
  ] as const)
    window.add(scrape(time, n));
  expect(window.growth(TIME_TO_FIRST_TOKEN).counts).toEqual([17, 0]); // since second 5
  expect(window.latest(TIME_TO_FIRST_TOKEN).counts).toEqual([13, 0]);
  expect(window.rate('tokens')).toBe(2.6);
  expect([...window.ratesBy('tokens', 'engine')]).toEqual([
    ['0', 2.6],
    ['1', 0],
  ]);
});

it('gives no rate below 0 after a reset, and none before there are two scrapes', () => {
  const window = new ScrapeWindow(10);
  window.add(scrape(0, 5));
  expect(window.rate('tokens')).toBe(0);
  window.add(scrape(1, 1));
  expect(window.rate('tokens')).toBe(0);
});

it('remembers the last points only', () => {
  const history = new History(1, 2);
  for (const time of [1, 2, 3]) history.push(time, [time * 10]);
  expect(history.columns).toEqual([
    [2, 3],
    [20, 30],
  ]);
  expect(history.last).toEqual([3, 30]);
});

it.each([
  [0, '0'],
  [0.00084, '840 µs'],
  [0.012, '12 ms'],
  [0.0125, '13 ms'],
  [0.85, '850 ms'],
  [1.5, '1.5 s'],
  [119, '119 s'],
  [300, '5 min'],
])('writes %s seconds as %s', (seconds, text) => {
  expect(durationText(seconds)).toBe(text);
});

it('writes counts and shares for people', () => {
  expect([countText(1234.4), countText(1_200_000), percentText(0.1234), percentText(1)]).toEqual([
    '1,234',
    '1.2M',
    '12 %',
    '100 %',
  ]);
});
