import type { EngineReady } from '../../engine-core/engine-ready.js';
import { encodeEngineIdentity } from '../../wire/handshake/engine-identity.js';
import type { OutputSocket } from './output-socket.js';

/**
 * `awaited`: not heard of, or lost before it served. `greeted`: it has its addresses. `ready`: it serves. `leaving`:
 * known to be lost, what it sent before is still delivered. `lost`: its streams have ended.
 */
export type LinkState = 'awaited' | 'greeted' | 'ready' | 'leaving' | 'lost';

/** A frontend's view of one engine, across all its lives. */
export class EngineLink {
  readonly engineIndex: number;
  readonly identity: Uint8Array<ArrayBuffer>;
  state: LinkState = 'awaited';
  /** Why it is in this state, in words. */
  reason = 'not heard of';
  /** Its socket of this life; undefined where all engines share one. */
  output: OutputSocket | undefined;
  /** Ready is who has said so on the handshake socket, and answered on the input socket; in either order. */
  hasSaidReady = false;
  ready: EngineReady | undefined;
  /** Running and waiting requests, by its last stats. */
  load = 0;
  /** This frontend's streams. */
  inFlight = 0;
  /** Monotonic milliseconds of its last message. */
  heardAt = 0;

  /** When it was asked whether it still lives, and has not been heard since. */
  askedAt: number | undefined;
  /** How many times it has started. */
  life = 0;

  constructor(engineIndex: number) {
    this.engineIndex = engineIndex;
    this.identity = encodeEngineIdentity(engineIndex);
  }

  /** A process that starts: nothing of the one before it holds. */
  greet(): void {
    this.state = 'greeted';
    this.reason = 'it has not said that it is ready';
    this.hasSaidReady = false;
    this.ready = undefined;
    this.load = 0;
    this.askedAt = undefined;
    this.life++;
  }
}
