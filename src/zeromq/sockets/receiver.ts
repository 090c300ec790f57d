import { setImmediate } from 'node:timers/promises';
import type { EventLoopSlices } from './event-loop-slices.js';

/** Anything of zeromq that receives. */
export interface Receiving {
  receive(): Promise<Uint8Array[]>;
}

/** Waiting for more than this for a backlog of an engine that is gone would make its loss too late. */
const SETTLE_MS = 1_000;

/** Reads a socket for ever: until it is closed. */
export class Receiver {
  readonly #socket: Receiving;
  readonly #slices: EventLoopSlices;
  readonly #onMessage: (frames: Uint8Array[]) => void | Promise<void>;
  #received = 0;
  #isWaiting = false;

  /** `onMessage` must not throw. */
  constructor(
    socket: Receiving,
    slices: EventLoopSlices,
    onMessage: (frames: Uint8Array[]) => void | Promise<void>,
  ) {
    this.#socket = socket;
    this.#slices = slices;
    this.#onMessage = onMessage;
    void this.#run();
  }

  async #run(): Promise<void> {
    for (;;) {
      let frames: Uint8Array[];
      this.#isWaiting = true;
      try {
        frames = await this.#socket.receive();
      } catch {
        return; // without a time-out, receiving fails only once the socket is closed
      }
      this.#isWaiting = false;
      this.#received++;
      const handled = this.#onMessage(frames);
      if (handled !== undefined) await handled;
      if (this.#slices.isSpent) await this.#slices.next();
    }
  }

  /** Resolves when what has arrived by now has been handled: nothing came in a whole turn of the event loop. */
  async settled(): Promise<void> {
    const latest = performance.now() + SETTLE_MS;
    let seen = -1;
    while (performance.now() < latest && !(this.#isWaiting && seen === this.#received)) {
      seen = this.#received;
      await setImmediate();
    }
  }
}
