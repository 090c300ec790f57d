import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
/** Of its own, so that a build of the project may run meanwhile; as deep as `dist/esm`, to find trace and packages. */
const built = join(root, 'node_modules/.demo-test');
const work = mkdtempSync(join(tmpdir(), 'demo-cli-'));
const trace = join(work, 'small.csv');

beforeAll(() => {
  mkdirSync(built, { recursive: true });
  writeFileSync(join(built, 'package.json'), '{"type":"module"}');
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  const args = ['build', '-c', 'src/vite.config.mjs', '--mode', 'demo', '--outDir', built];
  execFileSync(process.execPath, [vite, ...args], { cwd: root });
  const lines = Array.from({ length: 200 }, (_, i) => {
    const second = String(Math.floor(i / 10)).padStart(2, '0');
    return `2023-11-16 18:15:${second}.${i % 10},${500 + 7 * i},${20 + (i % 30)}`;
  });
  writeFileSync(trace, ['TIMESTAMP,ContextTokens,GeneratedTokens', ...lines, ''].join('\n'));
}, 60_000);
afterAll(() => {
  rmSync(built, { recursive: true, force: true });
  rmSync(work, { recursive: true, force: true });
});

interface Exit {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function start(
  args: readonly string[],
  nodeArgs: readonly string[] = [],
): { child: ChildProcess; exit: Promise<Exit>; text: () => string } {
  const child = spawn(process.execPath, [...nodeArgs, join(built, 'demo/main.js'), ...args], { cwd: work });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => (stdout += chunk));
  child.stderr.on('data', (chunk) => (stderr += chunk));
  const exit = once(child, 'close').then(([code]) => ({ code, stdout, stderr }) as Exit);
  return { child, exit, text: () => stdout };
}

function run(...args: string[]): Promise<Exit> {
  return start(args).exit;
}

it('replays a trace once, prints summary and identities, and writes the page', async () => {
  const { code, stdout, stderr } = await run('--once', '--trace', trace, '--out', 'page.txt');
  expect(stderr).toBe('');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^Replayed 200 of 200 requests through 2 engines, 00:00:2\d of trace time in \d/);
  expect(stdout).toContain('Identities: 40 checked, all hold\nok  ');
  expect(stdout).not.toContain('\u001b');
  const page = readFileSync(join(work, 'page.txt'), 'utf8');
  expect(page).toContain('vllm:request_success_total{engine="1",finished_reason="abort",model_name=');
});

it('shows the help', async () => {
  const { code, stdout, stderr } = await run('--help');
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/--port P +.*\(default: 8000\)/);
});

it('serves the page while it runs, and ends cleanly on Ctrl-C', async () => {
  const { child, exit, text } = start(['--trace', trace, '--port', '0', '--out', 'interrupted.txt']);
  while (!text().includes('Ctrl-C')) await once(child.stdout!, 'data');
  expect(text()).toMatch(/^Open http:\/\/127\.0\.0\.1:\d+\/ in a browser/);
  const url = /Serving (http:\/\/127\.0\.0\.1:\d+\/metrics)/.exec(text())![1]!;
  expect(await (await fetch(url)).text()).toContain('vllm:request_success_total');
  child.kill('SIGINT');
  const { code, stdout, stderr } = await exit;
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain('Identities: 40 checked, all hold');
  expect(readFileSync(join(work, 'interrupted.txt'), 'utf8')).toContain('finished_reason="abort"');
  await expect(fetch(url)).rejects.toThrow();
});

it('does not let a part of a trace pass for all of it when --once is cut short', async () => {
  const { child, exit } = start(['--once', '--out', 'cut.txt']);
  while (!existsSync(join(work, 'cut.txt'))) await setTimeout(20); // made when the run begins
  child.kill('SIGINT');
  const { code, stdout } = await exit;
  expect(code).toBe(130);
  expect(stdout).toMatch(/^Replayed \d.* of 19,366 requests/);
});

it.each([
  [['--nope'], '--nope: expected one of the options that --help lists, got an unknown one\n'],
  [['--abort-rate', '2'], '--abort-rate: expected a number from 0 to 1, got "2"\n'],
  [
    ['--once', '--trace', 'missing.csv'],
    '--trace missing.csv: expected a file that can be read, got ENOENT\n',
  ],
  [
    ['--once', '--out', 'no/such/dir'],
    '--out no/such/dir: expected a file that can be written, got ENOENT\n',
  ],
  [
    ['--port', '0', '--out', 'no/such/dir'],
    '--out no/such/dir: expected a file that can be written, got ENOENT\n',
  ],
  [
    ['--handshake', 'ipc:///no/such/dir/x', '--out', 'no/such/dir'],
    '--out no/such/dir: expected a file that can be written, got ENOENT\n',
  ],
])('exits with 2 and one line for %s', async (args, stderr) => {
  expect(await run(...args)).toEqual({ code: 2, stdout: '', stderr });
});

it('exits with 2 and the reason where it cannot listen for engines', async () => {
  const { code, stderr } = await run('--handshake', 'ipc:///no/such/dir/x');
  const expected = 'expected an address of this machine that is free, got ENOENT';
  expect([code, stderr]).toEqual([2, `--handshake ipc:///no/such/dir/x: ${expected}\n`]);
});

it('exits with 2 and the number of a malformed line', async () => {
  writeFileSync(join(work, 'bad.csv'), 'TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 18:15:46,12,x\n');
  const stderr = 'bad.csv line 2: expected GeneratedTokens as a whole number from 1 to 10000000, got "x"\n';
  expect(await run('--once', '--trace', 'bad.csv')).toEqual({ code: 2, stdout: '', stderr });
});

it('says in one line that standard output is full', async () => {
  const full = openSync('/dev/full', 'w');
  const args = [join(built, 'demo/main.js'), '--once', '--trace', trace];
  const child = spawn(process.execPath, args, { cwd: work, stdio: ['ignore', full, 'pipe'] });
  const [stderr, [code]] = await Promise.all([text(child.stderr!), once(child, 'close')]);
  closeSync(full);
  const line = 'standard output: expected a place that takes what is written, got ENOSPC\n';
  expect([code, stderr]).toEqual([2, line]);
});

it('ends with one line on a file without an end', async () => {
  const stderr = 'zero line 1: expected at most 1048576 characters, got a longer line\n';
  expect(await run('--once', '--trace', '/dev/zero')).toEqual({ code: 2, stdout: '', stderr });
});

/** 640 MB of text, above the longest string of V8 (512 MB): 6,400 requests on lines of 100 kB, in 640 gzip members. */
function writeLargeTrace(path: string): void {
  const request = { timestamp: 5, input_length: 100, output_length: 4, hash_ids: [7] };
  const line = `${JSON.stringify(request).slice(0, -1)}${' '.repeat(100_000)}}\n`;
  const member = gzipSync(line.repeat(10));
  writeFileSync(path, Buffer.concat(Array.from({ length: 640 }, () => member)));
}

it('replays a trace of 640 MB in the memory of a small one', async () => {
  writeLargeTrace(join(work, 'large.jsonl.gz'));
  const args = ['--once', '--trace', 'large.jsonl.gz', '--engines', '8'];
  const { code, stdout, stderr } = await start(args, ['--max-old-space-size=64']).exit;
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain('Replayed 6,400 of 6,400 requests');
}, 60_000);

it('exits with 2 and one line if the port is taken', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as { port: number };
  const stderr = `--port ${port}: expected one that is free on 127.0.0.1, got EADDRINUSE\n`;
  expect(await run('--trace', trace, '--port', String(port))).toEqual({ code: 2, stdout: '', stderr });
  other.close();
});
