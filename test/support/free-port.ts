import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}

/**
 * A loopback port that nobody listens on. Below 32768, where Linux begins to take ports for outgoing connections: one of
 * those could be gone again before the test listens on it.
 */
export async function freePort(): Promise<number> {
  let port: number;
  do port = randomInt(10_000, 32_768);
  while (!(await isFree(port)));
  return port;
}
