import { expect, it } from 'vitest';
import type { DemoOptions } from '../../../src/demo/command/options.js';
import { parseOptions } from '../../../src/demo/command/parse-options.js';
import { checkIdentities } from '../../../src/demo/report/identities.js';
import { Replay } from '../../../src/demo/run/replay.js';
import { keptTrace } from '../../../src/demo/trace/trace.js';
import { readSamples } from '../../../src/testing/read-samples.js';
import { finishedReplay, pageOf, samplesOf, smallTrace } from '../run-replay.js';

it.each<[string, Partial<DemoOptions>]>([
  ['as it comes', {}],
  ['on one engine', { engines: 1 }],
  ['on more engines than it needs', { engines: 7 }],
  ['with drafts', { specTokens: 3 }],
  ['with adapters', { lora: 3 }],
  ['with NIXL', { connector: 'nixl' }],
  ['with everything', { specTokens: 2, lora: 2, connector: 'multi', mmCache: true, mfu: true }],
  ['when all clients leave', { abortRate: 1 }],
  ['when all engines fail', { errorRate: 1 }],
])('keeps the identities %s', async (_case, partial) => {
  const replay = await finishedReplay(partial);
  const results = checkIdentities(await pageOf(replay), replay.record.engines);
  expect(results.filter(({ holds }) => !holds)).toEqual([]);
  expect(replay.record.finished).toBe(120);
});

it('keeps the identities of a trace with hashes, and finds its prefixes', async () => {
  const replay = await finishedReplay({}, smallTrace('mooncake'));
  const page = await pageOf(replay);
  expect(checkIdentities(page, replay.record.engines).every(({ holds }) => holds)).toBe(true);
  expect(page.sum('vllm:prefix_cache_hits_total')).toBeGreaterThan(0);
});

it('has preemptions, aborts, errors and both natural ends', async () => {
  const replay = await finishedReplay();
  const page = await pageOf(replay);
  const ended = (reason: string) =>
    replay.fleet.engines.reduce(
      (sum, engine) => sum + page.value('vllm:request_success_total', engine, { finished_reason: reason }),
      0,
    );
  for (const reason of ['stop', 'length', 'abort', 'error']) expect(ended(reason)).toBeGreaterThan(0);
  expect(page.sum('vllm:num_preemptions_total')).toBeGreaterThan(0);
});

it('loses clients before and after their first token', async () => {
  const { record } = await finishedReplay({ abortRate: 1 });
  expect(record.timesToFirstToken.count).toBeGreaterThan(0);
  expect(record.timesToFirstToken.count).toBeLessThan(record.finished);
});

it('gives the same page for the same seed, and another for another', async () => {
  const samples = async (seed: number) => [...(await samplesOf(await finishedReplay({ seed })))];
  const first = await samples(5);
  expect(await samples(5)).toEqual(first);
  expect(await samples(6)).not.toEqual(first);
});

it('records what is in flight as aborted when it is stopped, and the identities hold', async () => {
  const replay = new Replay(smallTrace(), { ...parseOptions([]), kvBlocks: 24 });
  replay.playback.scheduler.schedule(() => replay.stop(), 200);
  await replay.run();
  const results = checkIdentities(await pageOf(replay), replay.record.engines);
  expect(results.filter(({ holds }) => !holds)).toEqual([]);
  expect(replay.record.finished).toBe(80);
  expect(replay.record.numAborted).toBeGreaterThan(40);
  expect(replay.metrics.inFlight).toBe(0);
});

it('refuses a pool that the largest request does not fit into, and makes its own large enough', () => {
  const huge = keptTrace('azure', 16, [{ arrivalTimeMs: 0, numPromptTokens: 100_000, numOutputTokens: 1 }]);
  const make = (kvBlocks: number | undefined) => new Replay(huge, { ...parseOptions([]), kvBlocks });
  expect(() => make(10)).toThrow(/^--kv-blocks: expected at least 6251 .*, got 10$/);
  expect(make(undefined).fleet.snapshot(0).numKvBlocks).toBe(6251);
});

it('names the engines’ caches on the page', async () => {
  const samples = await readSamples((await finishedReplay()).registry);
  const info = [...samples.keys()].filter((key) => key.startsWith('vllm:cache_config_info{'));
  expect(info).toHaveLength(2);
  expect(info[0]).toContain('num_gpu_blocks="24"');
});
