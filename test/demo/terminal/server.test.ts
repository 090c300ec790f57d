import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { Registry } from 'prom-client';
import { afterEach, expect, it } from 'vitest';
import { type MetricsServer, serveMetrics } from '../../../src/demo/terminal/server.js';
import { ServingMetrics } from '../../../src/serving/serving-metrics.js';

let server: MetricsServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

function registryOfOne(): Registry {
  const registry = new Registry();
  new ServingMetrics({ registry, modelName: 'm', engines: [0] });
  return registry;
}

it('serves the page, and tells of everything else where it is', async () => {
  const registry = registryOfOne();
  server = await serveMetrics(registry, '127.0.0.1', 0);
  const response = await fetch(server.url);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe(registry.contentType);
  expect(await response.text()).toContain('vllm:num_requests_running{engine="0",model_name="m"} 0.0\n');
  expect((await fetch(new URL('/', server.url))).status).toBe(404);
  const posted = await fetch(server.url, { method: 'POST' });
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  expect(await (await fetch(server.url, { method: 'HEAD' })).text()).toBe('');
});

/** The status that a request line is answered with; fetch would not send most of these. */
async function statusOf(requestLine: string): Promise<number> {
  const { hostname, port } = new URL(server!.url);
  const socket = connect(Number(port), hostname);
  socket.end(`${requestLine} HTTP/1.1\r\nhost: ${hostname}\r\nconnection: close\r\n\r\n`);
  const answer = await text(socket);
  return Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);
}

it.each([
  ['GET //', 404],
  ['GET http://[', 404],
  ['GET /%', 404],
  ['GET *', 404],
  ['GET ///metrics', 404],
  ['GET /metrics?a=//', 200],
  ['BREW /metrics', 400],
  ['TRACE //', 405],
])('answers %s with %i, as no target is the server’s fault', async (requestLine, status) => {
  server = await serveMetrics(registryOfOne(), '127.0.0.1', 0);
  expect(await statusOf(requestLine)).toBe(status);
});

it('says in one line that a port is taken', async () => {
  server = await serveMetrics(registryOfOne(), '127.0.0.1', 0);
  const port = Number(new URL(server.url).port);
  await expect(serveMetrics(registryOfOne(), '127.0.0.1', port)).rejects.toThrow(
    `--port ${port}: expected one that is free on 127.0.0.1, got EADDRINUSE`,
  );
});

it('says in one line that an address is not here', async () => {
  await expect(serveMetrics(registryOfOne(), '192.0.2.1', 0)).rejects.toThrow(
    '--host 192.0.2.1: expected an address of this machine, got EADDRNOTAVAIL',
  );
});
