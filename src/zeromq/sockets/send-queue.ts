/** Anything of zeromq that sends; only one send at a time may be under way. */
export interface Sender {
  send(frames: Uint8Array[]): Promise<void>;
}

/** Sends messages one after the other, in the order of the calls. */
export class SendQueue {
  readonly #sender: Sender;
  #last: Promise<void> = Promise.resolve();

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /** Rejects if nobody is there to receive it, or the socket is closed; the messages after it go out all the same. */
  send(frames: Uint8Array[]): Promise<void> {
    const sent = this.#last.then(() => this.#sender.send(frames));
    this.#last = sent.catch(() => {});
    return sent;
  }

  /** Resolves when what was sent so far has been handed to the socket. */
  flushed(): Promise<void> {
    return this.#last;
  }
}
