import { type ConnectEnginesOptions, connectSettings, type StopSignal } from './connect-options.js';
import type { EngineCoreClient } from './engine-core-client.js';
import type { EnginePool } from './frontend/engine-pool.js';
import { Frontend } from './frontend/frontend.js';
import { FrontendClient } from './frontend/frontend-client.js';

/**
 * Serves vLLM engine cores: binds the addresses, waits until all `engines` have said that they are ready, and gives the
 * client to send requests with. Engines are started by somebody else, with the address of `handshake`; one that is
 * lost may be started again.
 *
 * Rejects if an address cannot be bound, or if engines are missing at the time-out or when `signal` aborts (then the
 * error names them, and everything is closed again).
 * @throws {TypeError | RangeError} (as a rejection) on bad options.
 * @see vllm/v1/engine/core_client.py `MPClient`; rust/src/engine-core-client/src/transport.rs
 */
export async function connectEngines(options: ConnectEnginesOptions): Promise<EngineCoreClient> {
  const settings = connectSettings(options);
  const { readyTimeoutMs, signal } = settings;
  const frontend = await Frontend.bind(settings);
  try {
    await allReady(frontend.pool, readyTimeoutMs, signal);
  } catch (error) {
    await frontend.close();
    throw error;
  }
  return new FrontendClient(frontend);
}

function allReady(pool: EnginePool, timeoutMs: number, signal: StopSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = (when: string, cause?: unknown) => {
      end();
      reject(new Error(missingText(pool, when), cause === undefined ? undefined : { cause }));
    };
    const onAbort = () => giveUp('before the signal aborted', signal?.reason);
    const timer = setTimeout(() => giveUp(`within ${timeoutMs} ms`), timeoutMs);
    const changes = pool.changes.subscribe(() => {
      if (pool.missing.length > 0) return;
      end();
      resolve();
    });
    const end = () => {
      clearTimeout(timer);
      changes.unsubscribe();
      signal?.removeEventListener('abort', onAbort);
    };
    if (signal?.aborted) onAbort();
    else signal?.addEventListener('abort', onAbort);
  });
}

function missingText({ links, missing }: EnginePool, when: string): string {
  const all = links.map(({ engineIndex }) => engineIndex).join(', ');
  const who = missing.map(({ engineIndex, reason }) => `${engineIndex} (${reason})`).join(', ');
  return `connectEngines: expected engines ${all} to be ready ${when}, missing ${who}`;
}
