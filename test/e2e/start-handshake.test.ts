/** `npm start -- --handshake …`: the demo's page and API on engines of another process, which die and come back. */
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { parseExposition, sumOf } from '../../src/demo/page/data/exposition.js';
import { freePort } from '../support/free-port.js';
import { eventually, output, ROOT, type Running, start } from './processes.js';

const MAIN = join(ROOT, 'dist/esm/demo/main.js');
const ENGINES = join(ROOT, 'dist/esm/demo/engines/main.js');
const SUCCESS = 'vllm:request_success_total';

const running = new Set<Running>();

/** As the two npm scripts start it, which only build before: here that is done once. */
function node(file: string, ...args: string[]): Running {
  const program = start(process.execPath, [file, ...args]);
  running.add(program);
  program.exit.finally(() => running.delete(program));
  return program;
}

function startEngines(handshake: string): Running {
  return node(ENGINES, '--handshake', handshake, '--engines', '2', '--step-ms', '2');
}

/** Resolves with the match once a program has printed it. */
async function printed({ child, exit, stdout }: Running, pattern: RegExp): Promise<RegExpExecArray> {
  for (;;) {
    const match = pattern.exec(stdout());
    if (match !== null) return match;
    const more = new Promise<undefined>((resume) => child.stdout!.once('data', () => resume(undefined)));
    const ended = await Promise.race([more, exit]);
    if (ended !== undefined) throw new Error(`it ended before it printed ${pattern}`, { cause: ended });
  }
}

/** Asks until it holds: what a page shows comes with no event. */
function until(holds: () => Promise<boolean>): Promise<true> {
  return eventually(async () => ((await holds()) ? true : undefined), 30);
}

class Demo {
  constructor(
    readonly program: Running,
    readonly url: string,
  ) {}

  async sum(name: string, labels: Readonly<Record<string, string>> = {}): Promise<number> {
    return sumOf(parseExposition(await (await fetch(`${this.url}/metrics`)).text()), name, labels);
  }

  async chat(maxTokens: number): Promise<{ status: number; tokens: number; error: string }> {
    const messages = [{ role: 'user', content: 'Tell me of engines.' }];
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ messages, max_tokens: maxTokens });
    const response = await fetch(`${this.url}/v1/chat/completions`, { method: 'POST', headers, body });
    const json = (await response.json()) as {
      usage?: { completion_tokens: number };
      error?: { message: string };
    };
    const tokens = json.usage?.completion_tokens ?? 0;
    return { status: response.status, tokens, error: json.error?.message ?? '' };
  }
}

async function startDemo(handshake: string, ...args: string[]): Promise<Demo> {
  const port = await freePort();
  const program = node(MAIN, '--handshake', handshake, '--engines', '2', '--port', String(port), ...args);
  await printed(program, /Waiting /);
  return new Demo(program, `http://127.0.0.1:${port}`);
}

beforeAll(async () => {
  for (const mode of ['demo', 'page'])
    await output('npx', ['vite', 'build', '-c', 'src/vite.config.mjs', '--mode', mode], { cwd: ROOT });
}, 120_000);

afterEach(async () => {
  const left = [...running];
  for (const { child } of left) child.kill('SIGKILL');
  await Promise.all(left.map(({ exit }) => exit));
});

let handshake: string;

describe('npm start with --handshake', { timeout: 120_000 }, () => {
  beforeAll(async () => {
    handshake = `tcp://127.0.0.1:${await freePort()}`;
  });

  it('serves engines of another process, outlives them, and serves them again', async () => {
    const demo = await startDemo(handshake, '--speed', '10');
    expect(demo.program.stdout()).toBe(
      `Waiting on ${handshake} for 2 engines, 600 s at most; Ctrl-C gives up\n`,
    );
    const engines = startEngines(handshake);
    await printed(demo.program, /Serving .*\/metrics/);
    expect(demo.program.stdout()).toMatch(/^Engine 0 is ready\nEngine 1 is ready$/m);
    expect(await (await fetch(demo.url)).text()).toContain('<title>');

    const tokens = (engine: string) => demo.sum('vllm:generation_tokens_total', { engine });
    for (const engine of ['0', '1']) {
      const before = await tokens(engine);
      await until(async () => (await tokens(engine)) > before);
    }
    expect(await demo.chat(17)).toEqual({ status: 200, tokens: 17, error: '' });

    const errors = () => demo.sum(SUCCESS, { finished_reason: 'error' });
    await until(async () => (await demo.sum('vllm:num_requests_running')) > 0);
    const before = await errors();
    const doomed = demo.chat(50_000);
    await until(async () => (await demo.sum('rx_engine_metrics_requests_in_flight')) > 0);
    engines.child.kill('SIGKILL');
    const { status, error } = await doomed;
    expect(status).toBe(500);
    expect(error).toContain('its connection closed');
    await until(async () => (await errors()) > before);
    await until(async () => (await fetch(`${demo.url}/health`)).status === 503);
    expect(await demo.sum('vllm:num_requests_running')).toBe(0);
    await printed(demo.program, /^Engine 1 is lost: its connection closed$/m);

    startEngines(handshake);
    await until(async () => (await fetch(`${demo.url}/health`)).ok);
    expect(await demo.chat(5)).toEqual({ status: 200, tokens: 5, error: '' });
    const cached = await demo.sum('vllm:prompt_tokens_total');
    await until(async () => (await demo.sum('vllm:prompt_tokens_total')) > cached);

    demo.program.child.kill('SIGTERM');
    const { code, stdout, stderr } = await demo.program.exit;
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^Served [\d,]+ requests through 2 engines/m);
    expect(stdout).toMatch(/Identities: \d+ checked, all hold/);
    expect(code).toBe(0);
  });

  it('frees its addresses at the end: the next one serves there', async () => {
    const first = await startDemo(handshake, '--load', 'off');
    startEngines(handshake);
    await printed(first.program, /Serving .*\/metrics/);
    first.program.child.kill('SIGINT');
    expect((await first.program.exit).code).toBe(0);
    const second = await startDemo(handshake, '--load', 'off');
    startEngines(handshake);
    await printed(second.program, /Serving .*\/metrics/);
    expect(await second.chat(3)).toEqual({ status: 200, tokens: 3, error: '' });
  });

  it('leaves adding, killing and removing engines to whoever started them', async () => {
    const demo = await startDemo(handshake, '--load', 'off');
    startEngines(handshake);
    await printed(demo.program, /Serving .*\/metrics/);
    const post = (path: string) =>
      fetch(demo.url + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' });
    for (const path of ['/api/engines', '/api/engines/0/kill', '/api/engines/0/remove'])
      expect((await post(path)).status).toBe(409);
    expect(await (await fetch(`${demo.url}/api/fleet`)).json()).toMatchObject({
      canChange: false,
      engines: [
        { engineIndex: 0, state: 'running' },
        { engineIndex: 1, state: 'running' },
      ],
    });
  });

  it('names the engines that are missing when the time is out, and exits with 2', async () => {
    const demo = await startDemo(handshake, '--ready-timeout', '3');
    node(ENGINES, '--handshake', handshake, '--index', '1');
    const { code, stderr } = await demo.program.exit;
    expect(stderr).toBe(
      `--handshake ${handshake}: expected engines 0, 1 to be ready within 3000 ms, got none of 0 (not heard of)\n`,
    );
    expect(code).toBe(2);
  });

  it('gives up at Ctrl-C while it waits', async () => {
    const { program } = await startDemo(handshake);
    program.child.kill('SIGINT');
    expect(await program.exit).toMatchObject({ code: 130, stderr: '' });
  });
});

afterAll(() => expect(running.size).toBe(0));
