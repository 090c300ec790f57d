import { expect, it } from 'vitest';
import { Page } from '../../../src/demo/report/page.js';
import { summaryLines } from '../../../src/demo/report/summary.js';
import { RunRecord } from '../../../src/demo/run/run-record.js';
import { clockTime, percent, seconds, whole } from '../../../src/demo/terminal/format.js';
import { table } from '../../../src/demo/terminal/layout.js';
import { finishedReplay, pageOf } from '../run-replay.js';

it('adds up to the trace', async () => {
  const replay = await finishedReplay();
  const lines = summaryLines(await pageOf(replay), replay.record);
  expect(lines[0]).toMatch(/^Requests +stop +length +abort +error +repetition +all$/);
  const figures = lines[3]!.match(/\d+/g)!.map(Number);
  expect(lines[3]).toMatch(/^all engines/);
  expect(figures.at(-1)).toBe(120);
  expect(figures.slice(0, -1).reduce((sum, count) => sum + count, 0)).toBe(120);
});

it('shows exact percentiles of kept values, and interpolated ones of inter-token latency', async () => {
  const replay = await finishedReplay();
  const lines = summaryLines(await pageOf(replay), replay.record);
  const sorted = [...replay.record.e2eLatencies.values].sort((a, b) => a - b);
  const expected = [59, 107, 118].map((rank) => seconds(sorted[rank]!)); // of 120 values
  const row = lines.find((line) => line.startsWith('end to end'))!;
  expect(row.split(/ {2,}/)).toEqual(['end to end', ...expected, '120', 'exact']);
  expect(lines.find((line) => line.startsWith('inter-token latency'))).toMatch(
    /interpolated in its buckets$/,
  );
});

it('shows a dash where nothing was recorded', () => {
  const lines = summaryLines(new Page(new Map(), 'none'), new RunRecord([0]));
  expect(lines.find((line) => line.startsWith('time to first token'))).toMatch(/– +– +– +0 +exact$/);
});

it('formats figures for reading', () => {
  expect(whole(19_366)).toBe('19,366');
  expect(seconds(0.0123456)).toBe('0.01235');
  expect(seconds(Number.NaN)).toBe('–');
  expect(percent(0.0215)).toBe('2.1 %');
  expect(clockTime(3_502_000)).toBe('00:58:22');
  expect(
    table([
      ['a', '1'],
      ['bb', '22', 'x'],
    ]),
  ).toEqual(['a    1', 'bb  22  x']);
});
