import { existsSync, readdirSync, readFileSync } from 'node:fs';
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

/** Ids that begin a test's name in the file of a kind. */
function idsTested(kind: string): Set<string> {
  const text = readFileSync(new URL(`${kind}.test.ts`, HERE), 'utf8');
  return new Set([...text.matchAll(/^it(?:\.each\([^\n]*\))?\(\s*['"](B\d\d): /gmu)].map(([, id]) => id!));
}

it.each(Object.keys(REPORTS))('every report on %s has a test, and nothing else has one', (kind) => {
  expect([...idsTested(kind)].sort()).toEqual(Object.keys(REPORTS[kind]!).sort());
});

it('every test file answers reports', () => {
  const kinds = readdirSync(HERE)
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => file.slice(0, -'.test.ts'.length));
  expect(kinds.filter((kind) => kind !== 'completeness').sort()).toEqual(Object.keys(REPORTS).sort());
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
