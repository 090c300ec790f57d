import { Router } from 'zeromq';
import { encodeAbortIds } from '../../wire/requests/abort-ids.js';
import { ABORT, ADD, UTILITY } from '../../wire/requests/request-type.js';
import { watchConnections } from '../sockets/connection-watch.js';
import { bindTo, closeAndFree } from '../sockets/endpoints.js';
import type { EventLoopSlices } from '../sockets/event-loop-slices.js';
import { Receiver } from '../sockets/receiver.js';
import { SendQueue } from '../sockets/send-queue.js';

/** What the input socket says to the frontend. */
export interface InputEvents {
  /** A ready response, with the identity of its engine. */
  readonly onMessage: (frames: Uint8Array[]) => void;
  /** A connection was closed; libzmq does not say whose. */
  readonly onClosed: () => void;
}

export interface InputSocketOptions {
  readonly endpoint: string | undefined;
  readonly host: string;
  readonly maxMessageBytes: number;
}

const ADD_TYPE = Uint8Array.of(ADD);
const ABORT_TYPE = Uint8Array.of(ABORT);
const UTILITY_TYPE = Uint8Array.of(UTILITY);

/** What was sent last gets so long to leave after the socket was closed. */
const LINGER_MS = 200;

/**
 * Where requests go down to engines. No water marks: at the default of 1,000 a ROUTER drops what a busy engine has not
 * yet read. Mandatory, so that a send to an engine that is gone fails; without a time-out, as there is then nothing to
 * wait for. Always read, and identities are handed over, so that an engine that starts again can register.
 */
export class InputSocket {
  readonly address: string;
  readonly #socket: Router;
  readonly #queue: SendQueue;

  private constructor(socket: Router, address: string, slices: EventLoopSlices, events: InputEvents) {
    this.#socket = socket;
    this.address = address;
    this.#queue = new SendQueue(socket);
    watchConnections(socket, events.onClosed);
    new Receiver(socket, slices, events.onMessage);
  }

  /** @throws {Error} if it cannot be bound. */
  static async bind(
    { endpoint, host, maxMessageBytes }: InputSocketOptions,
    slices: EventLoopSlices,
    events: InputEvents,
  ): Promise<InputSocket> {
    const socket = new Router({
      mandatory: true,
      handover: true,
      sendHighWaterMark: 0,
      receiveHighWaterMark: 0,
      sendTimeout: 0,
      maxMessageSize: maxMessageBytes,
      linger: LINGER_MS,
    });
    const address = await bindTo('input', socket, endpoint, host);
    return new InputSocket(socket, address, slices, events);
  }

  /** All three reject if the engine is not connected. */
  add(identity: Uint8Array, request: Uint8Array): Promise<void> {
    return this.#queue.send([identity, ADD_TYPE, request]);
  }

  /** Without ids it has no effect, and so tells whether the engine is connected. */
  abort(identity: Uint8Array, ids: readonly string[]): Promise<void> {
    return this.#queue.send([identity, ABORT_TYPE, encodeAbortIds(ids)]);
  }

  utility(identity: Uint8Array, call: Uint8Array): Promise<void> {
    return this.#queue.send([identity, UTILITY_TYPE, call]);
  }

  async close(): Promise<void> {
    await this.#queue.flushed();
    await closeAndFree(this.#socket);
  }
}
