/** The documents' programs compile against the package, and those that are whole programs run. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../support/free-port.js';
import { type Consumer, consumer } from './consumer.js';
import { codeBlocks, WITH_CODE } from './readme.js';

const BLOCKS = codeBlocks();
let project: Consumer;
let messages: string;

function fileOf(i: number): string {
  return `block-${i}.ts`;
}

/** Where the only block under a heading was compiled to. */
function compiled(heading: string): string {
  const found = BLOCKS.flatMap(({ under }, i) => (under.endsWith(heading) ? [i] : []));
  expect(found.length, heading).toBe(1);
  return join(project.path, 'src', fileOf(found[0]!).replace('.ts', '.js'));
}

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function start(file: string): { child: ChildProcess; ended: Promise<Ended> } {
  const child = spawn(process.execPath, [file]);
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => (stdout += chunk));
  child.stderr.on('data', (chunk) => (stderr += chunk));
  return { child, ended: once(child, 'close').then(([code]) => ({ code, stdout, stderr }) as Ended) };
}

async function pageWith(url: string, line: string): Promise<string> {
  for (let tries = 0; tries < 100; tries++) {
    const page = await fetch(url).then(
      (response) => response.text(),
      () => '',
    );
    if (page.includes(line)) return page;
    await new Promise((resume) => setTimeout(resume, 100));
  }
  throw new Error(`${url} never showed ${line}`);
}

let port: number;
beforeAll(async () => {
  port = await freePort();
  project = consumer();
  // The programs' port may be taken here.
  const texts = BLOCKS.map(({ code }) => `${code.replaceAll('8000', String(port))}\nexport {};\n`);
  messages = project.compile(Object.fromEntries(texts.map((text, i) => [fileOf(i), text])));
}, 60_000);
afterAll(() => project?.remove());

describe("the documents' programs", { timeout: 30_000 }, () => {
  it('are found', () => {
    const programs = BLOCKS.map(({ under }) => under.split(' / ')[0]);
    expect(new Set(programs).size).toBe(WITH_CODE.length);
    expect(BLOCKS.length).toBeGreaterThanOrEqual(10);
  });

  it.each(BLOCKS.map(({ under }, i) => [under, i] as const))('compile: %s (%i)', (_, i) => {
    expect(messages.split('\n').filter((line) => line.includes(fileOf(i)))).toEqual([]);
  });

  it('compile as a whole', () => {
    expect(messages).toBe('');
  });

  it('serve a page: the quick start', async () => {
    const { child, ended } = start(compiled('Quick start'));
    const line = (engine: number, reason: string) =>
      `vllm:request_success_total{engine="${engine}",finished_reason="${reason}",model_name="llama-3.1-8b"} 1.0\n`;
    const page = await pageWith(`http://127.0.0.1:${port}/metrics`, line(0, 'length'));
    child.kill();
    expect(page).toContain(line(1, 'abort'));
    expect(await ended).toMatchObject({ stdout: 'request-0 is done\n', stderr: '' });
  });

  it.each(['Testing a frontend', 'Simulating engines'])('run to their end: %s', async (heading) => {
    const { code, stderr } = await start(compiled(heading)).ended;
    expect([code, stderr]).toEqual([0, '']);
  });
});
