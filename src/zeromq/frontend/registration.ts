import { decodeEngineIdentity } from '../../wire/handshake/engine-identity.js';
import { decodeEngineReady } from '../../wire/handshake/engine-ready.js';
import { type SocketDiagnostic, textOf } from '../socket-diagnostic.js';
import type { EngineLink } from './engine-link.js';
import type { EnginePool } from './engine-pool.js';
import type { Addresses } from './handshake-socket.js';

/** What start-up needs of a frontend. */
export interface RegistrationHost {
  /** The engine serves no more: another process has taken its place. */
  lose(link: EngineLink, reason: string): void;
  /** Binds what a new life of an engine needs. */
  addressesFor(link: EngineLink): Promise<Addresses>;
  report(diagnostic: SocketDiagnostic): void;
}

/**
 * How an engine becomes ready, the first time and again: HELLO, its addresses, then READY on the handshake socket and
 * a ready response on the input socket, in either order. One engine's bad message stops no other engine.
 */
export class Registration {
  readonly #pool: EnginePool;
  readonly #host: RegistrationHost;

  constructor(pool: EnginePool, host: RegistrationHost) {
    this.#pool = pool;
    this.#host = host;
  }

  async hello(engineIndex: number): Promise<Addresses | undefined> {
    const link = this.#pool.get(engineIndex);
    if (link === undefined) {
      this.bad('handshake', 'expected an engine of this client, ignored its HELLO', engineIndex);
      return undefined;
    }
    if (link.state === 'ready' || link.state === 'leaving') this.#host.lose(link, 'it started anew');
    link.greet();
    return this.#host.addressesFor(link);
  }

  ready(engineIndex: number): void {
    const link = this.#pool.get(engineIndex);
    if (link?.state !== 'greeted') {
      this.bad('handshake', 'expected HELLO first, ignored its READY', engineIndex);
      return;
    }
    link.hasSaidReady = true;
    if (link.ready !== undefined) this.#pool.becameReady(link, link.ready);
    else link.reason = 'its ready response has not come';
  }

  readyResponse(frames: readonly Uint8Array[]): void {
    const engineIndex = decodeEngineIdentity(frames[0]!);
    const link = engineIndex === undefined ? undefined : this.#pool.get(engineIndex);
    if (link?.state !== 'greeted' || frames.length !== 2) {
      this.bad('input', 'expected a ready response after HELLO, ignored the message', engineIndex);
      return;
    }
    try {
      link.ready = decodeEngineReady(frames[1]!);
    } catch (error) {
      this.bad('input', textOf(error), engineIndex);
      return;
    }
    if (link.hasSaidReady) this.#pool.becameReady(link, link.ready);
  }

  bad(source: string, message: string, engineIndex: number | undefined): void {
    this.#host.report({ source, message, ...(engineIndex !== undefined && { engineIndex }) });
  }
}
