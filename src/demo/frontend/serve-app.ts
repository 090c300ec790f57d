import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import type { Hono } from 'hono';
import { codeOf, UsageError } from '../command/usage-error.js';

export interface AppServer {
  /** Without a slash at its end. */
  readonly url: string;
  /** Open connections are cut. */
  close(): Promise<void>;
}

/** Codes that another port would help against; else it is the host. */
const PORT_CODES: readonly string[] = ['EADDRINUSE', 'EACCES'];

/** Serves an app over HTTP. @throws {UsageError} if the address cannot be had. */
export async function serveApp(app: Hono, host: string, port: number): Promise<AppServer> {
  // Without the option it makes HTTP/1.1 servers only; Request and Response stay Node's own.
  const server = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false }) as Server;
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
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
