/** The frontend side of a conversation: says what was recorded, on real sockets, and keeps what it hears. */
import { Pull, Router } from 'zeromq';
import { placeOf, type Step } from './conversation.js';
import { type Addresses, withAddresses } from './expected-bytes.js';
import { Received } from './received.js';

const ANY_PORT = 'tcp://127.0.0.1:*';

/** What was said last gets so long to leave. */
const LINGER_MS = 500;

export class RecordedFrontend {
  readonly received: Received = new Received();
  readonly #handshake: Router = new Router({ linger: LINGER_MS, mandatory: true });
  readonly #input: Router = new Router({ linger: LINGER_MS, mandatory: true });
  readonly #output: Pull = new Pull();

  static async bind(): Promise<RecordedFrontend> {
    const frontend = new RecordedFrontend();
    const { received } = frontend;
    for (const socket of frontend.#sockets) await socket.bind(ANY_PORT);
    void received.read(frontend.#handshake, ([identity, ...frames]) => [
      placeOf('handshake', indexIn(identity!)),
      frames,
    ]);
    void received.read(frontend.#input, ([identity, ...frames]) => [
      placeOf('input', indexIn(identity!)),
      frames,
    ]);
    void received.read(frontend.#output, (frames) => ['output', frames]);
    return frontend;
  }

  /** Where engines say HELLO. */
  get address(): string {
    return this.#handshake.lastEndpoint!; // there once it is bound
  }

  async say({ socket, identity, frames }: Pick<Step, 'socket' | 'identity' | 'frames'>): Promise<void> {
    if (socket === 'input') await this.#input.send([identity!, ...frames]);
    else await this.#handshake.send([identity!, withAddresses(frames[0]!, this.#addresses)]);
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.close();
  }

  get #sockets(): readonly (Router | Pull)[] {
    return [this.#handshake, this.#input, this.#output];
  }

  get #addresses(): Addresses {
    return { inputs: [this.#input.lastEndpoint!], outputs: [this.#output.lastEndpoint!] };
  }
}

function indexIn(identity: Uint8Array): number {
  return Buffer.from(identity).readUInt16LE();
}
