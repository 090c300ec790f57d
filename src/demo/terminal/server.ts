import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';
import { renderMetrics } from '../../index.js';
import { codeOf, UsageError } from '../command/usage-error.js';

export interface MetricsServer {
  readonly url: string;
  /** Open connections are cut. */
  close(): Promise<void>;
}

const METHODS = 'GET, HEAD';

function answer(response: ServerResponse, status: number, text: string, type = 'text/plain'): void {
  const allow = status === 405 ? { allow: METHODS } : {}; // RFC 9110, 15.5.6
  response.writeHead(status, { 'content-type': type, ...allow }).end(text);
}

async function serve(
  registry: Registry,
  { method, url }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [path] = (url ?? '/').split('?'); // not `URL`: that throws on targets as `//`
  if (method !== 'GET' && method !== 'HEAD') answer(response, 405, 'GET /metrics\n');
  else if (path !== '/metrics') answer(response, 404, 'GET /metrics\n');
  else answer(response, 200, await renderMetrics(registry), registry.contentType);
}

/** Codes that another port would help against; else it is the host. */
const PORT_CODES: readonly string[] = ['EADDRINUSE', 'EACCES'];

async function listen(server: Server, host: string, port: number): Promise<void> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    const code = codeOf(error);
    throw PORT_CODES.includes(code)
      ? new UsageError(`--port ${port}`, `one that is free on ${host}`, code)
      : new UsageError(`--host ${host}`, 'an address of this machine', code);
  }
}

function urlOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo; // a TCP server that listens
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}/metrics`;
}

/** Serves a registry's page. @throws {UsageError} if the address cannot be had. */
export async function serveMetrics(registry: Registry, host: string, port: number): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    serve(registry, request, response).catch((error: unknown) => answer(response, 500, `${String(error)}\n`));
  });
  await listen(server, host, port);
  return {
    url: urlOf(server, host),
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
