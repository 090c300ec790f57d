/** Where a frontend listens, and what it tells engines of it. */
import type { Socket } from 'zeromq';

/** On all interfaces, in the spellings that libzmq takes and gives. */
const WILDCARD_HOST = /^tcp:\/\/(?:\*|0\.0\.0\.0|\[::\]):/;
const WILDCARD_PORT = /:(?:\*|0)$/;

/** An IPv6 address stands in brackets. */
function hostIn(endpoint: string): string {
  return endpoint.includes(':') ? `[${endpoint}]` : endpoint;
}

function anyPortOn(host: string): string {
  if (host === 'localhost') return 'tcp://127.0.0.1:*';
  const isLoopback = host.startsWith('127.') || host === '::1';
  return isLoopback ? `tcp://${hostIn(host)}:*` : 'tcp://0.0.0.0:*';
}

/** True if it can be bound by one socket only. */
export function isFixed(endpoint: string | undefined): endpoint is string {
  return endpoint !== undefined && !WILDCARD_PORT.test(endpoint);
}

/**
 * Binds a socket to `endpoint`, or to a free port that engines on `host` reach. Gives the address to connect to.
 * @throws {Error} naming the subject if it cannot be bound.
 */
export async function bindTo(
  subject: string,
  socket: Socket,
  endpoint: string | undefined,
  host: string,
): Promise<string> {
  const wanted = (endpoint ?? anyPortOn(host)).replace(WILDCARD_PORT, ':*');
  if (wanted.includes('[')) socket.ipv6 = true;
  try {
    await socket.bind(wanted);
  } catch (error) {
    throw new Error(`${subject}: expected an address that can be bound, got ${wanted}`, { cause: error });
  }
  return (socket.lastEndpoint ?? wanted).replace(WILDCARD_HOST, `tcp://${hostIn(host)}:`);
}

/** Frees the address at once; closing alone leaves that to libzmq's own thread. */
export async function unbindAndClose(socket: Socket): Promise<void> {
  const endpoint = socket.lastEndpoint;
  if (socket.closed) return;
  if (endpoint) await socket.unbind(endpoint).catch(() => {}); // an ipc path may be gone
  socket.close();
}
