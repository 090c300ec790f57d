import { Pull } from 'zeromq';
import { watchConnections } from '../sockets/connection-watch.js';
import { bindTo, closeAndFree } from '../sockets/endpoints.js';
import type { EventLoopSlices } from '../sockets/event-loop-slices.js';
import { Receiver } from '../sockets/receiver.js';

/** What an output socket says to the frontend. */
export interface OutputEvents {
  readonly onMessage: (frames: Uint8Array[]) => void;
  /** `ENGINE_CORE_DEAD`: which names no engine. */
  readonly onDeath: () => void;
  /** A connection was closed: by the engine's end, or by libzmq over a message that is too large. */
  readonly onClosed: () => void;
}

export interface OutputSocketOptions {
  readonly endpoint: string | undefined;
  readonly host: string;
  readonly maxMessageBytes: number;
}

const DEATH_NOTICE = Buffer.from('ENGINE_CORE_DEAD');

function isDeathNotice(frames: readonly Uint8Array[]): boolean {
  const [frame] = frames;
  return frames.length === 1 && frame!.length === DEATH_NOTICE.length && DEATH_NOTICE.equals(frame!);
}

/**
 * Where engines push their outputs: one socket a life of an engine, so that a closed connection tells whose it was
 * (outputs come without an identity) and nothing of an earlier life can arrive in a later one.
 */
export class OutputSocket {
  readonly address: string;
  readonly #socket: Pull;
  readonly #receiver: Receiver;

  private constructor(socket: Pull, address: string, slices: EventLoopSlices, events: OutputEvents) {
    this.#socket = socket;
    this.address = address;
    watchConnections(socket, events.onClosed);
    this.#receiver = new Receiver(socket, slices, (frames) => {
      if (isDeathNotice(frames)) events.onDeath();
      else events.onMessage(frames);
    });
  }

  /** @throws {Error} if it cannot be bound. */
  static async bind(
    { endpoint, host, maxMessageBytes }: OutputSocketOptions,
    slices: EventLoopSlices,
    events: OutputEvents,
  ): Promise<OutputSocket> {
    const socket = new Pull({ receiveHighWaterMark: 0, maxMessageSize: maxMessageBytes, linger: 0 });
    const address = await bindTo('output', socket, endpoint, host);
    return new OutputSocket(socket, address, slices, events);
  }

  /** Resolves when what has arrived by now has been handled. */
  settled(): Promise<void> {
    return this.#receiver.settled();
  }

  close(): Promise<void> {
    return closeAndFree(this.#socket);
  }
}
