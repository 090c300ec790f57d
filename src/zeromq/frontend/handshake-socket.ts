import { Router } from 'zeromq';
import { encodeEngineAddresses } from '../../wire/handshake/engine-addresses.js';
import { decodeEngineGreeting } from '../../wire/handshake/engine-greeting.js';
import { decodeEngineIdentity } from '../../wire/handshake/engine-identity.js';
import { textOf } from '../socket-diagnostic.js';
import { bindTo, closeAndFree } from '../sockets/endpoints.js';
import type { EventLoopSlices } from '../sockets/event-loop-slices.js';
import { Receiver } from '../sockets/receiver.js';
import { SendQueue } from '../sockets/send-queue.js';

/** Where an engine is told to connect to. */
export interface Addresses {
  readonly input: string;
  readonly output: string;
}

/** What engines say on the handshake socket. */
export interface HandshakeEvents {
  /** An engine has started; gives its addresses, or undefined for one that is not expected. */
  readonly onHello: (engineIndex: number) => Promise<Addresses | undefined>;
  readonly onReady: (engineIndex: number) => void;
  readonly onBad: (message: string, engineIndex?: number) => void;
}

/** A greeting has some 100 bytes. */
const MAX_GREETING_BYTES = 65_536;

/** The well-known address where engines announce themselves; open for ever, so that they may come back. */
export class HandshakeSocket {
  readonly #socket: Router;
  readonly #queue: SendQueue;
  readonly #events: HandshakeEvents;

  private constructor(socket: Router, slices: EventLoopSlices, events: HandshakeEvents) {
    this.#socket = socket;
    this.#queue = new SendQueue(socket);
    this.#events = events;
    new Receiver(socket, slices, (frames) => this.#read(frames));
  }

  /** @throws {Error} if it cannot be bound. */
  static async bind(
    endpoint: string,
    slices: EventLoopSlices,
    events: HandshakeEvents,
  ): Promise<HandshakeSocket> {
    const socket = new Router({ handover: true, linger: 0, maxMessageSize: MAX_GREETING_BYTES });
    await bindTo('handshake', socket, endpoint, '');
    return new HandshakeSocket(socket, slices, events);
  }

  close(): Promise<void> {
    return closeAndFree(this.#socket);
  }

  async #read(frames: readonly Uint8Array[]): Promise<void> {
    const engineIndex = decodeEngineIdentity(frames[0]!);
    if (engineIndex === undefined)
      this.#events.onBad('expected an identity of two bytes, ignored the message');
    else if (frames.length !== 2)
      this.#events.onBad(`expected one frame, got ${frames.length - 1}`, engineIndex);
    else await this.#greet(engineIndex, frames[0]!, frames[1]!);
  }

  async #greet(engineIndex: number, identity: Uint8Array, payload: Uint8Array): Promise<void> {
    try {
      const { status } = decodeEngineGreeting(payload);
      if (status === 'READY') this.#events.onReady(engineIndex);
      else await this.#answer(identity, await this.#events.onHello(engineIndex));
    } catch (error) {
      this.#events.onBad(textOf(error), engineIndex);
    }
  }

  async #answer(identity: Uint8Array, addresses: Addresses | undefined): Promise<void> {
    if (addresses === undefined) return;
    const { input, output } = addresses;
    await this.#queue.send([identity, encodeEngineAddresses({ inputs: [input], outputs: [output] })]);
  }
}
