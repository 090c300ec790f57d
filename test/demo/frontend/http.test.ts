import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { startFrontend } from './rig.js';

/** The status that a request line is answered with; fetch would not send most of these. */
async function statusOf(url: string, requestLine: string): Promise<number> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(`${requestLine} HTTP/1.1\r\nhost: ${hostname}\r\nconnection: close\r\n\r\n`);
  return Number(/^HTTP\/1\.1 (\d+)/.exec(await text(socket))?.[1]);
}

it.each([
  ['GET //', 404],
  ['GET http://[', 400],
  ['GET /%', 404],
  ['GET *', 400],
  ['GET ///metrics', 404],
  ['GET /../package.json', 404],
  ['GET /assets/..%2f..%2fpackage.json', 404],
  ['GET /assets/none.js', 404],
  ['GET /metrics?a=//', 200],
  ['BREW /metrics', 400],
  ['TRACE /metrics', 405],
])('answers %s with %i, as no target is the server’s fault', async (requestLine, status) => {
  const { url } = await startFrontend();
  expect(await statusOf(url, requestLine)).toBe(status);
});

it.each([
  ['/metrics', 'POST', 'GET, HEAD'],
  ['/', 'DELETE', 'GET, HEAD'],
  ['/health', 'PUT', 'GET, HEAD'],
  ['/v1/models', 'POST', 'GET, HEAD'],
  ['/v1/completions', 'GET', 'POST'],
  ['/v1/chat/completions', 'GET', 'POST'],
  ['/api/load', 'GET', 'POST'],
  ['/api/events', 'POST', 'GET, HEAD'],
  ['/api/engines/0/kill', 'GET', 'POST'],
])('tells for %s what may be done instead of %s', async (path, method, allow) => {
  const { url } = await startFrontend();
  const response = await fetch(url + path, { method });
  expect([response.status, response.headers.get('allow')]).toEqual([405, allow]);
});

it('serves the page, and its head', async () => {
  const { url, frontend } = await startFrontend();
  const response = await fetch(`${url}/metrics`);
  expect(response.headers.get('content-type')).toBe(frontend.serving.registry.contentType);
  expect(await response.text()).toContain(
    'vllm:num_requests_running{engine="0",model_name="simulated-8b"} 0.0\n',
  );
  const head = await fetch(`${url}/metrics`, { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
});

it('says in one line that a port is taken, or that an address is not here', async () => {
  const port = Number(new URL((await startFrontend()).url).port);
  const taken = `--port ${port}: expected one that is free on 127.0.0.1, got EADDRINUSE`;
  await expect(startFrontend({ port })).rejects.toThrow(taken);
  const elsewhere = '--host 192.0.2.1: expected an address of this machine, got EADDRNOTAVAIL';
  await expect(startFrontend({ host: '192.0.2.1' })).rejects.toThrow(elsewhere);
});

it('sends the fleet’s state at once, and what has ended', async () => {
  const server = await startFrontend();
  await server.ask('/v1/completions', { prompt: 'a', max_tokens: 2 });
  const response = await fetch(`${server.url}/api/events`);
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let events = '';
  while (!events.includes('event: finished')) events += (await reader.read()).value ?? '';
  const [fleet, finished] = [...events.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data!));
  const engine = { state: 'running', running: 0, waiting: 0, kvCacheUsage: 0 };
  expect(fleet).toEqual({
    canChange: true,
    engines: [
      { engineIndex: 0, ...engine },
      { engineIndex: 1, ...engine },
    ],
    load: { rate: 0, abortRate: 0 },
  });
  expect((await server.ask('/api/fleet')).json).toEqual(fleet);
  expect(finished).toHaveLength(1);
  expect(finished[0]).toMatchObject({ finishReason: 'length', numGenerationTokens: 2, engineIndex: 0 });
  for (const name of ['queuedTime', 'prefillTime', 'decodeTime', 'e2eLatency'])
    expect(finished[0][name]).toBeTypeOf('number');
  await reader.cancel();
});

it('sets the load, each of its two figures alone', async () => {
  const server = await startFrontend();
  expect((await server.ask('/api/load', { rate: 40 })).json).toEqual({ rate: 40, abortRate: 0 });
  expect((await server.ask('/api/load', { abortRate: 1 })).json).toEqual({ rate: 40, abortRate: 1 });
  await server.ask('/api/load', { rate: 0 });
  for (const body of [{ rate: -1 }, { rate: '4' }, { abortRate: 1.1 }])
    expect((await server.ask('/api/load', body)).status).toBe(400);
  expect((await server.ask('/api/load', {})).json).toEqual({ rate: 0, abortRate: 1 });
});

it('cuts open streams when it is stopped', async () => {
  const server = await startFrontend();
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  socket.write(`GET /api/events HTTP/1.1\r\nhost: ${hostname}\r\n\r\n`);
  await once(socket, 'data');
  await Promise.all([server.close(), once(socket, 'close')]);
});
