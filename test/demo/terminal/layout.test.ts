import fc from 'fast-check';
import { expect, it } from 'vitest';
import { helpLines } from '../../../src/demo/command/help.js';
import { checkIdentities } from '../../../src/demo/report/identities.js';
import { identityLines } from '../../../src/demo/report/identity-report.js';
import { summaryLines } from '../../../src/demo/report/summary.js';
import { table, wrapped } from '../../../src/demo/terminal/layout.js';
import { finishedReplay, pageOf } from '../run-replay.js';

const ROWS = [
  ['Requests', 'stop', 'length'],
  ['engine 0', '1', '22'],
  ['all engines', '10', '220'],
];

it('keeps its columns where they fit', () => {
  const lines = ['Requests     stop  length', 'engine 0        1      22', 'all engines    10     220'];
  expect(table(ROWS, { width: 25 })).toEqual(lines);
});

it('names each figure where its columns do not fit', () => {
  const lines = [
    'Requests:',
    'engine 0',
    '  stop 1',
    '  length 22',
    'all engines',
    '  stop 10',
    '  length 220',
  ];
  expect(table(ROWS, { width: 24 })).toEqual(lines);
});

it('puts the cells of a table without a head below each other', () => {
  const rows = [['ok  a long name', 'engine 0: 1', 'engine 1: 2']];
  expect(table(rows, { width: 20, hasHead: false })).toEqual([
    'ok  a long name',
    '  engine 0: 1',
    '  engine 1: 2',
  ]);
});

it('breaks lines between words, and leaves a word whole that no line can hold', () => {
  expect(wrapped(['one two three'], 8)).toEqual(['one two', '  three']);
  expect(wrapped(['incomprehensibilities all'], 8)).toEqual(['incomprehensibilities', '  all']);
  expect(wrapped(['', 'as it is'], Infinity)).toEqual(['', 'as it is']);
});

it('loses no word, and breaks no line that fits', () => {
  const word = fc.stringMatching(/^[a-z]{1,12}$/);
  fc.assert(
    fc.property(
      fc.array(word, { minLength: 1, maxLength: 20 }),
      fc.integer({ min: 16, max: 60 }),
      (words, width) => {
        const lines = wrapped([words.join(' ')], width);
        expect(lines.join(' ').split(/ +/)).toEqual(words);
        for (const line of lines) expect(line.length).toBeLessThanOrEqual(width);
      },
    ),
  );
});

it.each([40, 60, 79])('fits a whole report and the help into %i columns', async (width) => {
  const replay = await finishedReplay();
  const page = await pageOf(replay);
  const results = checkIdentities(page, replay.record.engines);
  const lines = [
    ...summaryLines(page, replay.record, width),
    ...identityLines(results, width),
    ...helpLines(width),
  ];
  expect(lines.filter(({ length }) => length > width)).toEqual([]);
  expect(lines.join('\n').replaceAll(/\s+/g, ' ')).toContain('Identities: 40 checked, all hold');
});
