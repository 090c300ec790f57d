import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { fixtureNames, readFixture } from '../support/fixtures.js';

const SHARED = new URL('../../../shared/', import.meta.url);
const FOLDERS = ['golden', 'vllm', 'wire', 'wire/vllm-0.32', 'wire/vllm-0.32/edge', 'sse'];
const copies = FOLDERS.flatMap((folder) => fixtureNames(folder).map((name) => `${folder}/${name}`));

/** Some originals are gzipped as well. */
function original(path: string): unknown {
  const url = new URL(path, SHARED);
  const text = existsSync(url) ? readFileSync(url) : gunzipSync(readFileSync(new URL(`${path}.gz`, SHARED)));
  return JSON.parse(text.toString('utf8'));
}

describe.skipIf(!existsSync(SHARED))('the copies in test/fixtures', () => {
  it.each(copies)('%s equals its original', (path) => {
    expect(readFixture(path)).toEqual(original(path));
  });
});

it('are all there', () => {
  expect(copies).toHaveLength(17 + 9 + 4 + 8 + 6 + 5);
});
