/** Programs beside ours: run to their end, or until they are told to stop. */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

export const ROOT: string = resolve(import.meta.dirname, '../..');

export interface Exit {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly child: ChildProcess;
  readonly exit: Promise<Exit>;
  /** What it has printed so far. */
  stdout(): string;
}

export function start(command: string, args: readonly string[], options: SpawnOptions = {}): Running {
  const child = spawn(command, args, { cwd: ROOT, ...options, stdio: 'pipe' });
  let stdout = '';
  let stderr = '';
  child.stdout!.on('data', (chunk) => (stdout += chunk));
  child.stderr!.on('data', (chunk) => (stderr += chunk));
  const exit = new Promise<Exit>((done, fail) => {
    child.once('error', fail); // no such program
    child.once('close', (code) => done({ code, stdout, stderr }));
  });
  return { child, exit, stdout: () => stdout };
}

/** Runs to the end, with `input` on its standard input. */
export function run(
  command: string,
  args: readonly string[],
  { input = '', ...options }: SpawnOptions & { input?: string } = {},
): Promise<Exit> {
  const { child, exit } = start(command, args, options);
  child.stdin!.on('error', () => {}); // it need not read its input
  child.stdin!.end(input);
  return exit;
}

/** As {@link run}, of a program that has to succeed. */
export async function output(...[command, args, options]: Parameters<typeof run>): Promise<string> {
  const { code, stdout, stderr } = await run(command, args, options);
  if (code === 0) return stdout;
  throw new Error(`${command} ${args.join(' ')}: exit code ${code}\n${stdout}\n${stderr}`);
}

/** A new folder outside of the project, and its removal. */
export function temporaryFolder(name: string): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), `${name}-`));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Asks again and again until there is an answer; the last error is the reason if there is none in time. */
export async function eventually<T>(ask: () => Promise<T | undefined>, seconds: number): Promise<T> {
  const deadline = Date.now() + seconds * 1000;
  let reason: unknown = 'no answer';
  while (Date.now() < deadline) {
    try {
      const answer = await ask();
      if (answer !== undefined) return answer;
    } catch (error) {
      reason = error;
    }
    await new Promise((resume) => setTimeout(resume, 100));
  }
  throw new Error(`gave up after ${seconds} s`, { cause: reason });
}
