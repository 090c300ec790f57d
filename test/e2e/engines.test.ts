/** Engines in processes of their own, over ZeroMQ: served to the token, and lost without a hang. */
import { setTimeout as delay } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { map, mergeMap, type Observable, range, reduce, take, tap } from 'rxjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type EngineCoreOutputs,
  ServingMetrics,
  withRequestMetrics,
  withSchedulerMetrics,
} from '../../src/index.js';
import { readSamples } from '../../src/testing/index.js';
import { connectEngines, type EngineCoreClient, EngineLostError } from '../../src/zeromq/index.js';
import { freePort } from '../support/free-port.js';
import { eventually, output, ROOT, type Running, start } from './processes.js';

const ENGINES = 4;
const REQUESTS = 10_000;
const PROMPT = [1, 2, 3, 4, 5];

let handshake: string;
let client: EngineCoreClient;
let registry: Registry;
let metrics: ServingMetrics;
const engines: Running[] = [];
/** Tokens that the engines sent, as they came out of the decoder. */
let sent = 0;

function startEngine(index: number): Running {
  const args = [
    'dist/esm/demo/engines/main.js',
    '--handshake',
    handshake,
    '--index',
    String(index),
    '--step-ms',
    '2',
  ];
  return start(process.execPath, args, { cwd: ROOT });
}

/** A request's tokens; a client that leaves takes only so many outputs. */
function tokensOf(
  id: number,
  maxTokens: number,
  leavesAfter?: number,
  engineIndex?: number,
): Observable<number> {
  const samplingParams = { maxTokens };
  const options = engineIndex === undefined ? {} : { engineIndex };
  const stream = client.generate({ requestId: `r${id}`, promptTokenIds: PROMPT, samplingParams }, options);
  const measured = stream.pipe(withRequestMetrics(metrics, { numPromptTokens: PROMPT.length, maxTokens }));
  const seen = leavesAfter === undefined ? measured : measured.pipe(take(leavesAfter));
  return seen.pipe(map(({ output: { newTokenIds } }) => newTokenIds.length));
}

async function total(name: string, label = ''): Promise<number> {
  const samples = await readSamples(registry);
  return [...samples]
    .filter(([key]) => key.startsWith(`${name}{`) && key.includes(label))
    .reduce((sum, [, value]) => sum + value, 0);
}

function success(reason: string): Promise<number> {
  return total('vllm:request_success_total', `finished_reason="${reason}"`);
}

describe('engines in processes of their own', { timeout: 240_000 }, () => {
  beforeAll(async () => {
    await output('npx', ['vite', 'build', '-c', 'src/vite.config.mjs', '--mode', 'demo'], { cwd: ROOT });
    handshake = `tcp://127.0.0.1:${await freePort()}`;
    for (let i = 0; i < ENGINES; i++) engines.push(startEngine(i));
    client = await connectEngines({ handshake, engines: ENGINES });
    registry = new Registry();
    metrics = new ServingMetrics({ registry, modelName: 'm', engines: [0, 1, 2, 3] });
    const count = tap(({ outputs }: EngineCoreOutputs) => {
      for (const { newTokenIds } of outputs) sent += newTokenIds.length;
    });
    client.batches$.pipe(count, withSchedulerMetrics(metrics)).subscribe();
  }, 120_000);

  afterAll(async () => {
    await client?.close();
    for (const { child } of engines) child.kill('SIGKILL');
  });

  it('serve 10,000 requests of which a tenth leaves: every token and every ending agree', async () => {
    let leaving = 0;
    const got = await new Promise<number>((resolve, reject) => {
      range(0, REQUESTS)
        .pipe(
          mergeMap((id) => {
            const leaves = id % 10 === 3;
            if (leaves) leaving++;
            return tokensOf(id, 4 + (id % 13), leaves ? 2 : undefined);
          }, 400),
          reduce((sum, tokens) => sum + tokens, 0),
        )
        .subscribe({ next: resolve, error: reject });
    });
    // What was under way to clients that left comes after they are gone.
    await eventually(async () => {
      const before = sent;
      await delay(300);
      return before === sent || undefined;
    }, 20);
    expect(await total('vllm:generation_tokens_total')).toBe(got);
    expect(sent).toBeGreaterThanOrEqual(got);
    expect(await total('vllm:iteration_tokens_total_sum')).toBe(
      sent + (await total('vllm:prompt_tokens_by_source_total', 'local_compute')),
    );
    expect([await success('abort'), await success('length')]).toEqual([leaving, REQUESTS - leaving]);
    expect(await total('vllm:e2e_request_latency_seconds_count')).toBe(REQUESTS);
    expect(await total('rx_engine_metrics_requests_in_flight')).toBe(0);
    expect(client.skippedMessages).toBe(0);
  });

  it('end 200 open streams as errors when one of them is killed; the others go on, and it comes back', async () => {
    const before = await success('error');
    const lost: unknown[] = [];
    let running = 0;
    for (let i = 0; i < 200; i++)
      tokensOf(20_000 + i, 5_000, undefined, 1).subscribe({
        next: () => running++,
        error: (error) => lost.push(error),
      });
    let others = 0;
    const other = tokensOf(30_000, 5_000, undefined, 2).subscribe(() => others++);
    await eventually(async () => running > 1_000 || undefined, 20);
    engines[1]!.child.kill('SIGKILL');
    const killed = performance.now();
    await eventually(async () => lost.length === 200 || undefined, 5);
    expect(performance.now() - killed).toBeLessThan(5_000);
    expect(lost.every((error) => error instanceof EngineLostError && error.engineIndex === 1)).toBe(true);
    expect(await success('error')).toBe(before + 200);
    const seen = others;
    await eventually(async () => others > seen || undefined, 5);
    other.unsubscribe();

    engines[1] = startEngine(1);
    await eventually(async () => engines[1]!.stdout().includes('ready') || undefined, 20);
    const again = await eventually(
      () =>
        new Promise<number | undefined>((resolve) => {
          tokensOf(40_000 + Math.floor(performance.now()), 3, undefined, 1)
            .pipe(reduce((sum, tokens) => sum + tokens, 0))
            .subscribe({ next: resolve, error: () => resolve(undefined) });
        }),
      10,
    );
    expect(again).toBe(3);
  });

  it('end with 0 on Ctrl-C, of which npm and the terminal both tell them', async () => {
    const { child, exit } = engines[2]!;
    child.kill('SIGINT');
    await delay(2);
    child.kill('SIGINT');
    expect(await exit).toMatchObject({ code: 0, stderr: '' });
  });

  it('say so when they are asked for what they cannot do', async () => {
    const { code, stderr } = await start(
      process.execPath,
      ['dist/esm/demo/engines/main.js', '--engines', 'x'],
      {
        cwd: ROOT,
      },
    ).exit;
    expect([code, stderr.trim()]).toEqual([2, '--engines: expected a whole number of at least 1, got x']);
  });
});
