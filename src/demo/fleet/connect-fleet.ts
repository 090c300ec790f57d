import type { DemoOptions } from '../command/options.js';
import { codeOf, UsageError } from '../command/usage-error.js';
import type { Trace } from '../trace/trace.js';
import { ConnectedFleet } from './connected-fleet.js';

type Settings = Pick<DemoOptions, 'engines' | 'readyTimeout' | 'load'> & { readonly handshake: string };

/**
 * Waits for engines of other processes; `undefined` if `signal` aborts before they are there.
 * @throws {UsageError} if engines are missing, if the address cannot be had, or if a request of the trace is too large.
 */
export async function connectFleet(
  trace: Trace,
  { handshake, engines, readyTimeout, load }: Settings,
  signal: AbortSignal,
): Promise<ConnectedFleet | undefined> {
  const subject = `--handshake ${handshake}`;
  const connectEngines = await loadZeromq(subject);
  try {
    const client = await connectEngines({ handshake, engines, readyTimeoutMs: 1000 * readyTimeout, signal });
    const fleet = new ConnectedFleet(client, trace.blockSize);
    if (load === 'trace') await assertRoom(trace, fleet);
    return fleet;
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error instanceof UsageError ? error : usageErrorOf(subject, error);
  }
}

/** Only here: the package is an optional peer, and who has built-in engines needs none. */
async function loadZeromq(subject: string): Promise<typeof import('../../zeromq/index.js').connectEngines> {
  try {
    return (await import('../../zeromq/index.js')).connectEngines;
  } catch (error) {
    throw new UsageError(subject, 'the package zeromq to be installed', codeOf(error));
  }
}

/** Engines that are missing, named by `connectEngines`; or an address that is taken. */
function usageErrorOf(subject: string, error: unknown): UsageError {
  const [, expected, missing] = /expected (.*), missing (.*)$/.exec(String(error)) ?? [];
  return expected === undefined
    ? new UsageError(
        subject,
        'an address of this machine that is free',
        codeOf((error as Error).cause ?? error),
        { cause: error },
      )
    : new UsageError(subject, expected, `none of ${missing}`);
}

async function assertRoom({ largestRequest }: Trace, fleet: ConnectedFleet): Promise<void> {
  if (largestRequest <= fleet.maxModelLen) return;
  await fleet.close();
  const expected = `requests of at most ${fleet.maxModelLen} tokens, which the engines have room for`;
  throw new UsageError('--trace', expected, `one of ${largestRequest} (--load off serves without it)`);
}
