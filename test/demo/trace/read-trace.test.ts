import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, it } from 'vitest';
import { defaultTrace, readTrace } from '../../../src/demo/trace/read-trace.js';

const directory = mkdtempSync(join(tmpdir(), 'demo-trace-'));
afterAll(() => rmSync(directory, { recursive: true }));

const TEXT = 'TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 18:15:46.6805900,374,44\n';

function file(name: string, content: string | Uint8Array): string {
  const path = join(directory, name);
  writeFileSync(path, content);
  return path;
}

it('finds the whole Azure conversation trace beside the sources', () => {
  const { format, requests } = readTrace(defaultTrace());
  expect(format).toBe('azure');
  expect(requests).toHaveLength(19_366);
  expect(requests.reduce((sum, { numPromptTokens }) => sum + numPromptTokens, 0)).toBe(22_361_870);
  expect(requests.reduce((sum, { numOutputTokens }) => sum + numOutputTokens, 0)).toBe(4_088_665);
});

it('knows gzip by its content, not by its name', () => {
  const plain = readTrace(file('plain.gz', TEXT));
  const zipped = readTrace(file('zipped.csv', gzipSync(TEXT)));
  expect(zipped).toEqual(plain);
});

it.each([
  ['a missing file', () => join(directory, 'none'), /^--trace .*none: expected a file .*, got ENOENT$/],
  ['a directory', () => directory, /^--trace .*: expected a file that can be read, got EISDIR$/],
  [
    'truncated gzip',
    () => file('cut', gzipSync(TEXT).subarray(0, 30)),
    /expected gzip data .*, got Z_BUF_ERROR$/,
  ],
  ['an empty file', () => file('empty', ''), /^empty line 1: expected Azure's header/],
])('says in one line what is wrong with %s', (_case, path, message) => {
  expect(() => readTrace(path())).toThrow(message);
});
