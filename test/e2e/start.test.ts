/** `npm start` as a user types it. */
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { freePort } from '../support/free-port.js';
import { eventually, type Running, start, temporaryFolder } from './processes.js';

const folder = temporaryFolder('npm-start');
const running = new Set<Running>();

/** Each in a session of its own, so that its group can be signalled as a terminal does it. */
function npmStart(...args: string[]): Running {
  const demo = start('npm', ['start', '--silent', '--', ...args], { detached: true });
  running.add(demo);
  demo.exit.finally(() => running.delete(demo));
  return demo;
}

function signal({ child }: Running, name: NodeJS.Signals): void {
  process.kill(-child.pid!, name);
}

function pressCtrlC(demo: Running): void {
  signal(demo, 'SIGINT');
}

afterEach(async () => {
  const left = [...running]; // by a test that failed
  for (const demo of left) signal(demo, 'SIGKILL');
  await Promise.all(left.map(({ exit }) => exit));
});
afterAll(() => folder.remove());

describe('npm start', () => {
  it('serves the page while the trace runs, and ends with 0 on Ctrl-C', async () => {
    const port = await freePort();
    const demo = npmStart('--port', String(port), '--speed', '20');
    const url = `http://127.0.0.1:${port}/metrics`;
    const endings = () => eventually(async () => endingsOn(await (await fetch(url)).text()), 50);
    const before = await endings();
    await eventually(async () => ((await endings()) > before ? true : undefined), 20);
    pressCtrlC(demo);
    const { code, stdout, stderr } = await demo.exit;
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain(`Serving ${url}`);
    expect(stdout).toContain('all hold');
    await expect(fetch(url)).rejects.toThrow();
  });

  it('listens on the loopback address only', async () => {
    const port = await freePort();
    const demo = npmStart('--port', String(port));
    await eventually(async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).ok, 50);
    await expect(fetch(`http://127.0.0.2:${port}/metrics`)).rejects.toThrow();
    pressCtrlC(demo);
    expect((await demo.exit).code).toBe(0);
  });

  it('replays the whole trace at once, its identities hold, and writes the page', async () => {
    const out = join(folder.path, 'page.txt');
    const { code, stdout, stderr } = await npmStart('--once', '--out', out).exit;
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/Replayed 19,366 of 19,366 requests through 2 engines/);
    expect(stdout).toMatch(/Identities: \d+ checked, all hold/);
    expect(endingsOn(readFileSync(out, 'utf8'))).toBe(19_366);
  });

  it.each([
    ['an unknown option', ['--nope'], /^--nope: [^\n]+\n$/],
    ['a missing file', ['--once', '--trace', '/no/such/trace.csv'], /^--trace [^\n]+ENOENT\n$/],
  ])('says what is wrong in one line and exits with 2: %s', async (_, args, line) => {
    const { code, stdout, stderr } = await npmStart(...args).exit;
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(line);
  });

  it('says that a port is taken in one line and exits with 2', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    const out = join(folder.path, 'never.txt');
    const { code, stderr } = await npmStart('--port', String(port), '--out', out).exit;
    other.close();
    expect(code).toBe(2);
    expect(stderr).toMatch(new RegExp(`^--port ${port}: [^\\n]+EADDRINUSE\\n$`));
    expect(existsSync(out) && readFileSync(out, 'utf8')).toBeFalsy();
  });
});

/** All requests that have ended, by a page. */
function endingsOn(page: string): number {
  const values = page.matchAll(/^vllm:request_success_total\{[^}]*\} (\S+)$/gm);
  return [...values].reduce((sum, [, value]) => sum + Number(value), 0);
}
