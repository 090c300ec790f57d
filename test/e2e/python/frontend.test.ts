/** A frontend in Python, served by `serveEngines` and by `npm run engines`. */
import { asyncScheduler } from 'rxjs';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { simulateEngines } from '../../../src/simulator/index.js';
import type { EngineCoreRequest } from '../../../src/wire/index.js';
import { type AbortReply, type EngineSource, serveEngines } from '../../../src/zeromq/index.js';
import { freePort } from '../../support/free-port.js';
import { recording } from '../../support/recording.js';
import { HandSource } from '../../zeromq/rig.js';
import { output, ROOT, type Running, start } from '../processes.js';
import { describeWithPython } from './describe-with-python.js';
import { ENGINES, sum, upFrom } from './engines-rig.js';
import { type FrontendReport, type PythonRequest, servedByPython } from './python-frontend.js';

/** Longer than any client here stays. */
const MOST_TOKENS = 20_000;

/** Forty requests for two engines; of four of them the client leaves. */
const REQUESTS: readonly PythonRequest[] = upFrom(0, 40).map((i) => {
  const request = { id: `r${i}`, engine: ENGINES[i % 2]!, prompt: upFrom(i, 1 + i) };
  if (i === 7) return { ...request, sampling_params: {} };
  if (i % 10 === 3) return { ...request, sampling_params: { max_tokens: MOST_TOKENS }, abort_after: i };
  return { ...request, sampling_params: { max_tokens: 1 + 3 * i, temperature: 0.5 } };
});

const FINISH_REASONS = ['stop', 'length', 'abort', 'error', 'repetition'] as const;

/** Counts on from a prompt's last token, at once. */
class Counting extends HandSource {
  override submit(engineIndex: number, request: EngineCoreRequest): void {
    super.submit(engineIndex, request);
    const { requestId, promptTokenIds, samplingParams } = request;
    const tokens = upFrom(promptTokenIds.at(-1)! + 1, samplingParams!.maxTokens!);
    const finishReason = FINISH_REASONS[samplingParams!.topK!]!;
    for (const [i, token] of tokens.entries()) {
      const ending = i === tokens.length - 1 && { finishReason };
      this.send({ engineIndex, outputs: [{ requestId, newTokenIds: [token], ...ending }] });
    }
  }
}

/** What came of {@link REQUESTS} or others, on engines of this process. */
async function serve(
  source: EngineSource,
  requests: readonly PythonRequest[],
  abortReply?: AbortReply,
): Promise<FrontendReport> {
  const handshake = await freeAddress();
  const stop = new AbortController();
  const serving = serveEngines(source, { handshake, engines: ENGINES, abortReply, signal: stop.signal });
  try {
    const [report] = await Promise.all([servedByPython(handshake, ENGINES, requests), serving]);
    return report;
  } finally {
    stop.abort();
  }
}

async function freeAddress(): Promise<string> {
  return `tcp://127.0.0.1:${await freePort()}`;
}

describeWithPython('a frontend in Python', () => {
  it.each(['final-output', 'silent'] as const)(
    'gets every token that a fleet has on its page, abort reply: %s',
    async (abortReply) => {
      const { batches, samples, diagnostics } = recording({ engines: ENGINES });
      const settings = { engines: ENGINES, seed: 1, scheduler: asyncScheduler, stepTime: { baseMs: 1 } };
      // The server answers aborts itself.
      const fleet = simulateEngines({ ...settings, abortReply: 'silent' });
      const sent = Object.fromEntries(REQUESTS.map(({ id }): [string, number[]] => [id, []]));
      fleet.batches$.subscribe((batch) => {
        for (const { requestId, newTokenIds } of batch.outputs) sent[requestId]!.push(...newTokenIds);
        batches.next(batch);
      });
      const report = await serve(fleet, REQUESTS, abortReply).finally(() => fleet.close());
      const answers = Object.values(report.requests);
      expect(Object.fromEntries(answers.map(({ id, tokens }) => [id, tokens]))).toEqual(sent);
      const page = await samples();
      for (const engine of ENGINES) {
        const own = answers.filter((each) => each.engine === engine);
        const computed = own.flatMap((each) =>
          each.prefill_stats.map((stats) => stats['num_computed_tokens']!),
        );
        const got = sum(own.map(({ tokens }) => tokens.length));
        expect(page.value('iteration_tokens_total_sum', engine)).toBe(got + sum(computed));
        const lookups = report.stats[engine]!.map((stats) => stats.prefix_cache_stats);
        expect(page.value('prefix_cache_queries_total', engine)).toBe(
          sum(lookups.map(({ queries }) => queries)),
        );
        expect(page.value('num_requests_running', engine)).toBe(
          report.stats[engine]!.at(-1)!.num_running_reqs,
        );
      }
      expect(diagnostics).toEqual([]);
    },
  );

  it('gets the tokens and reasons that an engine made, which gets the requests as Python sent them', async () => {
    const source = new Counting();
    // Token ids of each width that an integer has on the wire; top_k says which reason is wanted.
    const requests: PythonRequest[] = [0, 127, 255, 65_535, 2 ** 32 - 9].map((token, i) => ({
      id: `ü${token}`,
      engine: ENGINES[i % 2]!,
      prompt: [...upFrom(0, 20), token],
      sampling_params: { max_tokens: 5, top_k: i, top_p: 0.1, seed: -7, _eos_token_id: token },
    }));
    const report = await serve(source, requests);
    expect(source.submitted.length).toBe(requests.length);
    for (const [i, { id, engine, prompt }] of requests.entries()) {
      const tokens = upFrom(prompt.at(-1)! + 1, 5);
      expect(report.requests[id]).toMatchObject({ tokens, finish_reason: FINISH_REASONS[i], late: 0 });
      const submitted = source.submitted.find(({ request }) => request.requestId === id)!;
      expect(submitted.engineIndex).toBe(engine);
      expect(submitted.request).toMatchObject({
        promptTokenIds: prompt,
        samplingParams: { maxTokens: 5, topK: i, topP: 0.1, seed: -7, eosTokenId: prompt.at(-1) },
      });
    }
  });
});

describeWithPython('a frontend in Python, beside npm run engines', () => {
  const programs: Running[] = [];

  beforeAll(async () => {
    await output('npx', ['vite', 'build', '-c', 'src/vite.config.mjs', '--mode', 'demo'], { cwd: ROOT });
  });

  afterEach(async () => {
    for (const { child } of programs) child.kill('SIGKILL');
    await Promise.all(programs.splice(0).map(({ exit }) => exit));
  });

  it.each([
    ['all', 'final-output'],
    ['short', 'silent'],
  ])('is served to the last token, fields: %s, abort reply: %s', async (fields, abortReply) => {
    const handshake = await freeAddress();
    for (const index of ENGINES) {
      const args = ['--handshake', handshake, '--index', String(index), '--step-ms', '1'];
      const habits = ['--fields', fields, '--abort-reply', abortReply];
      programs.push(start(process.execPath, ['dist/esm/demo/engines/main.js', ...args, ...habits]));
    }
    const report = await servedByPython(handshake, ENGINES, REQUESTS);
    expect(Object.keys(report.ready_responses)).toEqual(ENGINES.map(String));
    expect(report.ready_responses).toMatchObject({ 258: { block_size: 16, data_parallel_rank: 258 } });
    expect(report.tasks).toEqual({ 0: ['generate'], 258: ['generate'] });
    for (const { id, abort_after, sampling_params, prompt } of REQUESTS) {
      const { tokens, finish_reason, late, events, prefill_stats } = report.requests[id]!;
      expect([id, late]).toEqual([id, 0]);
      expect(events.map(({ type }) => type)).toEqual([1, 2]); // queued, scheduled
      expect(prefill_stats.map((stats) => stats['num_prompt_tokens'])).toEqual([prompt.length]);
      if (abort_after === undefined) {
        const most = sampling_params!['max_tokens'] ?? 16;
        expect([id, tokens.length, finish_reason]).toEqual([id, most, 'length']);
      } else {
        expect(tokens.length).toBeGreaterThanOrEqual(abort_after);
        expect(tokens.length).toBeLessThan(MOST_TOKENS);
        expect(finish_reason).toBe(abortReply === 'silent' ? null : 'abort');
      }
    }
    for (const stats of Object.values(report.stats)) {
      expect(Math.max(...stats.map((each) => each.num_running_reqs))).toBeGreaterThan(1);
      expect(Math.max(...stats.map((each) => each.kv_cache_usage))).toBeGreaterThan(0);
    }
    expect(report.lengths.includes(16)).toBe(fields === 'all');
  });
});
