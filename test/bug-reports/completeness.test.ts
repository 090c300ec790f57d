import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { REPORTS } from './reports.js';

const HERE = new URL('./', import.meta.url);
const ORIGINAL = new URL('../../../shared/bug-reports.json', import.meta.url);

interface Report {
  readonly id: string;
  readonly title: string;
  readonly kind: string;
}

const reports: readonly Report[] = Object.entries(REPORTS).flatMap(([kind, titles]) =>
  Object.entries(titles).map(([id, title]) => ({ id, title, kind })),
);

const paths: readonly string[] = readdirSync(HERE, { recursive: true, encoding: 'utf8' }).filter((path) =>
  path.endsWith('.test.ts'),
);

/** The test files by kind, whatever room they are in. */
const files: ReadonlyMap<string, string> = new Map(
  paths.map((path) => [basename(path, '.test.ts'), readFileSync(new URL(path, HERE), 'utf8')]),
);

it('a kind has one file', () => {
  expect(files.size).toBe(paths.length);
});

/** Ids that begin a test's name in the file of a kind. */
function idsTested(kind: string): Set<string> {
  const text = files.get(kind) ?? '';
  return new Set([...text.matchAll(/^it(?:\.each\([^\n]*\))?\(\s*['"](B\d\d): /gmu)].map(([, id]) => id!));
}

it.each(Object.keys(REPORTS))('every report on %s has a test, and nothing else has one', (kind) => {
  expect([...idsTested(kind)].sort()).toEqual(Object.keys(REPORTS[kind]!).sort());
});

const kinds: readonly string[] = [...files.keys()].filter((kind) => kind !== 'completeness');

it('every kind of the list has a test file', () => {
  expect(kinds).toEqual(expect.arrayContaining(Object.keys(REPORTS)));
});

/** Reports that came after the list: each test says above itself where its report is from. */
it.each(kinds.filter((kind) => !(kind in REPORTS)))('every test on %s names its source', (kind) => {
  const text = files.get(kind)!;
  const tests = text.match(/^it\b/gmu) ?? [];
  const sourced =
    text.match(/^\/\*\n \* (?:https:\/\/|A finding of our own)(?:(?!\*\/)[\s\S])*\*\/\nit\b/gmu) ?? [];
  expect(tests.length).toBeGreaterThan(0);
  expect(sourced).toHaveLength(tests.length);
});

it('there are 48 reports', () => {
  expect(new Set(reports.map(({ id }) => id)).size).toBe(48);
});

describe.skipIf(!existsSync(ORIGINAL))('the list', () => {
  it('equals the original', () => {
    const original = JSON.parse(readFileSync(ORIGINAL, 'utf8')) as readonly Report[];
    const listed = original.map(({ id, title, kind }) => ({ id, title, kind }));
    expect(reports.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual(listed);
  });
});
