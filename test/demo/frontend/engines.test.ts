/** Engines that come and go while clients wait. */
import OpenAI from 'openai';
import { expect, it } from 'vitest';
import { checkIdentities } from '../../../src/demo/report/identities.js';
import { Page } from '../../../src/demo/report/page.js';
import { readSamples } from '../../../src/testing/index.js';
import { eventually, MODEL, type RunningFrontend, startFrontend } from './rig.js';

const SUCCESS = 'vllm:request_success_total';
const BODY = { model: MODEL, prompt: 'A story', max_tokens: 400 };

function clientOf({ url }: RunningFrontend): OpenAI {
  return new OpenAI({ baseURL: `${url}/v1`, apiKey: 'none', maxRetries: 0 });
}

/** The engine that has a request, once one has. */
async function busyEngine({ frontend }: RunningFrontend): Promise<number> {
  const { fleet } = frontend.serving;
  const busy = () => fleet.indexes.find((index) => fleet.statusOf(index).running > 0);
  await eventually(async () => busy() !== undefined);
  return busy()!;
}

it('ends the streams of a killed engine as errors, and the rest goes on', async () => {
  const server = await startFrontend();
  const client = clientOf(server);
  const doomed = client.completions.create({ ...BODY, stream: true });
  const engine = await busyEngine(server);
  const safe = client.completions.create({ ...BODY, max_tokens: 15 });
  const read = (async () => {
    for await (const _ of await doomed) void _;
  })();
  const failed = expect(read).rejects.toThrow(`engine ${engine} has died`);
  await eventually(async () => server.frontend.serving.metrics.inFlight === 2);
  const killed = await server.ask(`/api/engines/${engine}/kill`, {});
  expect(killed).toMatchObject({ status: 200, json: { engineIndex: engine, state: 'dead', running: 0 } });
  await failed;
  expect((await safe).usage?.completion_tokens).toBe(15);
  const labels = { engine: String(engine) };
  expect(await server.sum(SUCCESS, { ...labels, finished_reason: 'error' })).toBe(1);
  expect(await server.sum(SUCCESS)).toBe(2);
  expect(await server.sum('vllm:num_requests_running', labels)).toBe(0);
  expect(await server.sum('vllm:kv_cache_usage_perc', labels)).toBe(0);
});

it('answers a whole request on a killed engine with 500', async () => {
  const server = await startFrontend({ engines: 1 });
  const answer = server.ask('/v1/completions', { ...BODY, n: 2 });
  await busyEngine(server);
  await server.ask('/api/engines/0/kill', {});
  expect(await answer).toMatchObject({
    status: 500,
    json: { error: { message: 'engine 0 has died', type: 'server_error', code: 'engine_error' } },
  });
  expect(await server.sum(SUCCESS, { finished_reason: 'error' })).toBe(2);
  expect((await server.ask('/v1/completions', BODY)).status).toBe(503);
  expect((await fetch(`${server.url}/health`)).status).toBe(503);
});

it('serves again after a restart, with the counters going on', async () => {
  const server = await startFrontend({ engines: 1 });
  await server.ask('/v1/completions', { ...BODY, max_tokens: 3 });
  await server.ask('/api/engines/0/kill', {});
  expect((await server.ask('/api/engines/0/restart', {})).json).toMatchObject({ state: 'running' });
  expect((await server.ask('/v1/completions', { ...BODY, max_tokens: 3 })).status).toBe(200);
  expect(await server.sum('vllm:generation_tokens_total')).toBe(6);
  expect((await fetch(`${server.url}/health`)).status).toBe(200);
});

it('adds an engine, which takes its share', async () => {
  const server = await startFrontend({ engines: 1 });
  expect(await server.ask('/api/engines', {})).toEqual({ status: 201, json: { engineIndex: 1 } });
  expect(await server.sum(SUCCESS, { engine: '1' })).toBe(0);
  await server.ask('/v1/completions', { ...BODY, max_tokens: 3, n: 2 });
  expect(await server.sum(SUCCESS, { engine: '0' })).toBe(1);
  expect(await server.sum(SUCCESS, { engine: '1' })).toBe(1);
});

it('removes an engine once it has finished what it has', async () => {
  const server = await startFrontend({ engines: 2 });
  const answer = server.ask('/v1/completions', { ...BODY, max_tokens: 15 });
  const engine = await busyEngine(server);
  const removed = await server.ask(`/api/engines/${engine}/remove`, {});
  expect(removed.json).toMatchObject({ engineIndex: engine, state: 'draining', running: 1 });
  const other = await server.ask('/v1/completions', { ...BODY, max_tokens: 1, n: 2 });
  expect(other.status).toBe(200);
  expect(await answer).toMatchObject({ status: 200, json: { usage: { completion_tokens: 15 } } });
  expect(server.frontend.serving.fleet.indexes).toEqual([1 - engine]);
  const labels = { engine: String(engine) };
  expect(await server.sum('vllm:generation_tokens_total', labels)).toBe(15);
  expect(await server.sum(SUCCESS, { engine: String(1 - engine) })).toBe(2);
  const page = await (await fetch(`${server.url}/metrics`)).text();
  expect(page).not.toContain(`vllm:num_requests_running{engine="${engine}"`);
  expect((await server.ask('/api/engines', {})).json).toEqual({ engineIndex: engine });
});

it('removes an engine at once if it is idle, or dead', async () => {
  const server = await startFrontend({ engines: 2 });
  expect(await server.ask('/api/engines/0/remove', {})).toEqual({ status: 200, json: {} });
  await server.ask('/api/engines/1/kill', {});
  expect(await server.ask('/api/engines/1/remove', {})).toEqual({ status: 200, json: {} });
  expect(server.frontend.serving.fleet.indexes).toEqual([]);
  expect((await server.ask('/v1/completions', BODY)).status).toBe(503);
});

it.each([
  ['/api/engines/7/kill', 404, 'engine: expected one of 0, got 7'],
  ['/api/engines/x/remove', 404, 'engine: expected one of 0, got x'],
  ['/api/engines/0/restart', 409, 'engine 0: expected a dead one, got one that is running'],
])('refuses %s with %i', async (path, status, message) => {
  const server = await startFrontend({ engines: 1 });
  expect(await server.ask(path, {})).toMatchObject({ status, json: { error: { message } } });
});

it('refuses to kill a dead engine, and more engines than the page could show', async () => {
  const server = await startFrontend({ engines: 64 });
  await server.ask('/api/engines/0/kill', {});
  expect((await server.ask('/api/engines/0/kill', {})).status).toBe(409);
  expect((await server.ask('/api/engines', {})).status).toBe(409);
});

it('holds the identities when it is stopped in the midst of all this', async () => {
  const server = await startFrontend({
    engines: 3,
    load: 'trace',
    speed: 60,
    errorRate: 0.2,
    abortRate: 0.3,
  });
  const left = clientOf(server).completions.create({ ...BODY, n: 4 });
  left.catch(() => {});
  await busyEngine(server);
  await server.ask('/api/engines/0/kill', {});
  await server.ask('/api/engines/1/remove', {});
  await server.ask('/api/engines', {});
  await eventually(async () => (await server.sum(SUCCESS)) > 20);
  await server.close();
  const { registry, record } = server.frontend.serving;
  const results = checkIdentities(new Page(await readSamples(registry), MODEL), record.engines);
  expect(results.filter(({ holds }) => !holds)).toEqual([]);
  expect(record.finished).toBe(record.submitted);
});
