/** Where a frontend listens, and what it tells engines of it. */
import { setTimeout } from 'node:timers/promises';
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

/** Listeners are closed within a few milliseconds; if nothing says so, the address is not waited for longer. */
const FREED_MS = 500;

/**
 * Closes a socket that is bound. Resolves once its address is free: libzmq's own thread closes it. Without `unbind`: if
 * a peer closes its connection meanwhile, that one ends the process (libzmq 4.3.5, an assertion in pipe.cpp).
 */
export async function closeAndFree(socket: Socket): Promise<void> {
  if (socket.closed) return;
  const freed = new Promise<void>((resolve) => {
    socket.events.on('close', () => resolve());
    socket.events.on('end', () => resolve());
  });
  socket.close();
  await Promise.race([freed, setTimeout(FREED_MS, undefined, { ref: false })]);
}
