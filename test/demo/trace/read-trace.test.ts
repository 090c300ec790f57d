import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, it } from 'vitest';
import { readTrace } from '../../../src/demo/trace/read-trace.js';
import type { Trace, TraceRequest } from '../../../src/demo/trace/trace.js';
import { defaultTrace } from '../../../src/demo/trace/trace-file.js';

const directory = mkdtempSync(join(tmpdir(), 'demo-trace-'));
afterAll(() => rmSync(directory, { recursive: true }));

const TEXT = 'TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 18:15:46.6805900,374,44\n';

function file(name: string, content: string | Uint8Array): string {
  const path = join(directory, name);
  writeFileSync(path, content);
  return path;
}

async function requestsOf(trace: Trace): Promise<TraceRequest[]> {
  const requests: TraceRequest[] = [];
  for await (const batch of trace.batches()) requests.push(...batch);
  return requests;
}

it('finds the whole Azure conversation trace beside the sources', async () => {
  const trace = await readTrace(defaultTrace());
  const { format, numRequests, largestRequest } = trace;
  const requests = await requestsOf(trace);
  expect(numRequests).toBe(19_366);
  expect(largestRequest).toBe(Math.max(...requests.map((r) => r.numPromptTokens + r.numOutputTokens)));
  expect(format).toBe('azure');
  expect(requests).toHaveLength(19_366);
  expect(requests.reduce((sum, { numPromptTokens }) => sum + numPromptTokens, 0)).toBe(22_361_870);
  expect(requests.reduce((sum, { numOutputTokens }) => sum + numOutputTokens, 0)).toBe(4_088_665);
});

it('knows gzip by its content, not by its name, and takes no notice of a byte order mark', async () => {
  const plain = await requestsOf(await readTrace(file('plain.gz', TEXT)));
  expect(plain).toEqual([{ arrivalTimeMs: 0, numPromptTokens: 374, numOutputTokens: 44 }]);
  for (const bytes of [gzipSync(TEXT), `\uFEFF${TEXT}`, gzipSync(`\uFEFF${TEXT}`)])
    expect(await requestsOf(await readTrace(file('other.csv', bytes)))).toEqual(plain);
});

it('reads gzip of several members to its end', async () => {
  const line = '2023-11-16 18:15:47,1,2\n';
  const path = file('members.gz', Buffer.concat([gzipSync(TEXT), gzipSync(line), gzipSync(line)]));
  expect((await readTrace(path)).numRequests).toBe(3);
});

it('keeps the requests of a pipe, which can be read but once', async () => {
  const path = join(directory, 'pipe');
  execFileSync('mkfifo', [path]);
  const writer = spawn('sh', ['-c', `gzip -c '${file('for-the-pipe', TEXT)}' > '${path}'`]);
  const closed = once(writer, 'close');
  const trace = await readTrace(path);
  await closed;
  for (let time = 0; time < 2; time++) expect(await requestsOf(trace)).toHaveLength(1);
});

it('says in one line that a device has no lines', async () => {
  await expect(readTrace('/dev/zero')).rejects.toThrow(
    /^zero line 1: expected at most 1048576 characters, got a longer line$/,
  );
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
])('says in one line what is wrong with %s', async (_case, path, message) => {
  await expect(readTrace(path())).rejects.toThrow(message);
});
