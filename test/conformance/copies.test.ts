import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fixtureNames, readFixture } from '../support/fixtures.js';

const SHARED = new URL('../../../shared/', import.meta.url);
const copies = ['golden', 'vllm'].flatMap((folder) =>
  fixtureNames(folder).map((name) => `${folder}/${name}`),
);

describe.skipIf(!existsSync(SHARED))('the copies in test/fixtures', () => {
  it.each(copies)('%s equals its original', (path) => {
    expect(readFixture(path)).toEqual(JSON.parse(readFileSync(new URL(path, SHARED), 'utf8')));
  });
});

it('are all there', () => {
  expect(copies).toHaveLength(17 + 8);
});
